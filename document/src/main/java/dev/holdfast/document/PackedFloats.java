package dev.holdfast.document;

import dev.holdfast.world.Refusal;
import java.nio.ByteBuffer;
import java.util.Base64;

/// Vectors of floats as clients send them in one text: Base64 of the numbers one after the other,
/// the highest byte first. A number is a float, or its upper half (`bfloat16`).
public final class PackedFloats {
  private PackedFloats() {}

  /// @param dimensions of the field, 0 when it does not know them yet
  /// @throws Refusal `illegal_argument_exception` when it is no such text, or of another length
  public static float[] read(String text, int dimensions) {
    byte[] bytes;
    try {
      bytes = Base64.getDecoder().decode(text);
    } catch (IllegalArgumentException e) {
      throw Refusal.badArgument(String.valueOf(e.getMessage()));
    }
    boolean isHalf = dimensions > 0 && bytes.length == dimensions * Short.BYTES;
    int width = isHalf ? Short.BYTES : Float.BYTES;
    boolean fits = bytes.length % width == 0 && bytes.length > 0;
    if (!fits || (dimensions > 0 && bytes.length != dimensions * width)) {
      throw Refusal.badArgument(
          "Base64 decoded vector byte length ["
              + bytes.length
              + "] does not match the expected length of ["
              + dimensions * Float.BYTES
              + "] or ["
              + dimensions * Short.BYTES
              + "] for dimension count ["
              + dimensions
              + "]");
    }
    ByteBuffer in = ByteBuffer.wrap(bytes);
    float[] floats = new float[bytes.length / width];
    for (int i = 0; i < floats.length; i++) {
      floats[i] = Float.intBitsToFloat(isHalf ? in.getShort() << Short.SIZE : in.getInt());
    }
    return floats;
  }
}
