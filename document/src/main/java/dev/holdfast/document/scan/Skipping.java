package dev.holdfast.document.scan;

/// Reads over a container that nobody wants, checking it all the same.
final class Skipping {
  private Skipping() {}

  /// Reads to the end of the container that `scanner` has just opened.
  static void rest(JsonScanner scanner, Token container) {
    boolean isFirst = true;
    if (container == Token.OBJECT) {
      for (; scanner.nextMember(isFirst); isFirst = false) {
        value(scanner);
      }
    } else if (container == Token.ARRAY) {
      for (; scanner.nextElement(isFirst); isFirst = false) {
        value(scanner);
      }
    }
  }

  private static void value(JsonScanner scanner) {
    Token token = scanner.next();
    if (token == Token.OBJECT || token == Token.ARRAY) {
      rest(scanner, token);
    }
  }
}
