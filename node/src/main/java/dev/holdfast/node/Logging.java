package dev.holdfast.node;

import dev.holdfast.settings.NodeSettings;
import dev.holdfast.world.FromTheWorld;
import java.util.logging.Level;
import java.util.logging.Logger;

/// Tells the log library what the user wants of it; must run before the first line is logged.
final class Logging {
  /// Lucene's own log, through the JDK: held, because the JDK forgets what nobody holds.
  private static final Logger LUCENE = Logger.getLogger("org.apache.lucene");

  /// That of the library that sends traces: what it says is told once by whoever uses it.
  private static final Logger TRACES = Logger.getLogger("io.opentelemetry");

  private Logging() {}

  @FromTheWorld
  static void configure(NodeSettings settings) {
    System.setProperty(LogConfigurator.FORMAT, settings.logFormat());
    System.setProperty(LogConfigurator.NODE, settings.nodeName());
    System.setProperty(LogConfigurator.CLUSTER, settings.clusterName());
    System.setProperty(LogConfigurator.LEVEL, settings.logLevel());
    // It only ever advises the vector module, which costs start-up time and helps kNN alone.
    LUCENE.setLevel(Level.SEVERE);
    TRACES.setLevel(Level.OFF);
  }
}
