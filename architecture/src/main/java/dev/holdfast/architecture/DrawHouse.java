package dev.holdfast.architecture;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// `./holdfast house [FILE.svg] [CHECKOUT]`: prints the packages of a checkout, this one by
/// default, and draws them into a file.
public final class DrawHouse {
  private static final String USE =
      "./holdfast house [FILE.svg] [CHECKOUT]: lists the packages of a checkout, this one by"
          + " default, and draws them into a file";

  private DrawHouse() {}

  /// @param arguments the file to draw into, and the checkout
  public static void main(String[] arguments) throws IOException {
    System.exit(run(System.out, System.err, arguments));
  }

  /// @return the exit status
  static int run(PrintStream out, PrintStream err, String... arguments) throws IOException {
    List<String> words = List.of(arguments);
    if (words.contains("--help") || words.contains("-h")) {
      out.println(USE);
      return 0;
    }
    if (words.size() > 2 || words.stream().anyMatch(word -> word.startsWith("-"))) {
      err.println("holdfast: wrong use " + words + ": " + USE);
      return 2;
    }
    Path root = words.size() > 1 ? Path.of(words.get(1)) : SourceTree.rootOf(Path.of(""));
    Drawing drawing = new Drawing(House.of(SourceTree.read(root)));
    out.print(drawing.text());
    if (!words.isEmpty()) {
      Files.writeString(Path.of(words.getFirst()), drawing.svg());
    }
    return 0;
  }
}
