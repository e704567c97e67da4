class DicomFormat:
    name = "dicom"

    def __init__(self, key):
        pass

    def sniff(self, data):
        return False
