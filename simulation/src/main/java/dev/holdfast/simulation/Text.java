package dev.holdfast.simulation;

import java.io.PrintWriter;
import java.io.StringWriter;

/// Failures as text.
final class Text {
  private Text() {}

  static String of(Throwable failure) {
    StringWriter text = new StringWriter();
    failure.printStackTrace(new PrintWriter(text));
    return text.toString();
  }
}
