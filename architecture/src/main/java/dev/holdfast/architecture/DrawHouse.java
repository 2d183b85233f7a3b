package dev.holdfast.architecture;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// `./holdfast house [FILE.svg] [CHECKOUT]`: prints the packages of a checkout, this one by
/// default, and draws them into a file.
public final class DrawHouse {
  private DrawHouse() {}

  /// @param arguments the file to draw into, and the checkout
  public static void main(String[] arguments) throws IOException {
    Path root = arguments.length > 1 ? Path.of(arguments[1]) : SourceTree.rootOf(Path.of(""));
    Drawing drawing = new Drawing(House.of(SourceTree.read(root)));
    System.out.print(drawing.text());
    if (arguments.length > 0) {
      Files.writeString(Path.of(arguments[0]), drawing.svg());
    }
  }
}
