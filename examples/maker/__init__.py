"""Makes the example export: invented consultations, drawn documents, and their answer key."""
