"""De-identify consultations: text, pictures, DICOM and file metadata."""
