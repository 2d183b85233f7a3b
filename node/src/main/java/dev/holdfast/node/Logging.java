package dev.holdfast.node;

import dev.holdfast.node.settings.NodeSettings;
import dev.holdfast.world.FromTheWorld;

/// Tells the log library what the user wants of it; must run before the first line is logged.
final class Logging {
  private Logging() {}

  @FromTheWorld
  static void configure(NodeSettings settings) {
    System.setProperty("holdfast.log", settings.logFormat());
    System.setProperty("holdfast.log.level", settings.logLevel());
  }
}
