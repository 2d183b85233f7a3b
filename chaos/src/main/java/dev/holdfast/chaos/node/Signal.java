package dev.holdfast.chaos.node;

import java.io.IOException;

/// Signals to processes.
final class Signal {
  private Signal() {}

  /// @param name without SIG: STOP, CONT
  static void send(String name, long pid) throws IOException, InterruptedException {
    int code = new ProcessBuilder("kill", "-" + name, Long.toString(pid)).start().waitFor();
    if (code != 0) {
      throw new IOException("kill -" + name + " failed [code=" + code + ", pid=" + pid + "]");
    }
  }
}
