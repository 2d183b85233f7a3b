package dev.holdfast.simulation.schedule;

import java.io.PrintWriter;
import java.io.StringWriter;

/// Failures as text.
public final class FailureText {
  private FailureText() {}

  public static String of(Throwable failure) {
    StringWriter text = new StringWriter();
    failure.printStackTrace(new PrintWriter(text));
    return text.toString();
  }
}
