"""The obligation classifier: labelled sentences in, a small ONNX model and its figures out.

It knows sentences and labels; what the classifier is used for is not known here.
"""
