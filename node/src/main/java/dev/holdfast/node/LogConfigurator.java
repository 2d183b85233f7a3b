package dev.holdfast.node;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.spi.ContextAwareBase;
import dev.holdfast.world.FromTheWorld;

/// Where the log goes, and how its lines look: what [Logging] has said, or lines for people. In
/// code, because a cold Java machine reads a file of XML for a tenth of a second. Who names a file
/// (`logback.configurationFile`), and tests that have one, have it their way.
public final class LogConfigurator extends ContextAwareBase implements Configurator {
  static final String FORMAT = "holdfast.log";
  static final String LEVEL = "holdfast.log.level";
  static final String NODE = "holdfast.node.name";
  static final String CLUSTER = "holdfast.cluster.name";

  private static final String LINE =
      "%date{yyyy-MM-dd'T'HH:mm:ss.SSS} %-5level %logger{0}: %message%n%exception";

  @Override
  @FromTheWorld
  public ExecutionStatus configure(LoggerContext log) {
    if (System.getProperty("logback.configurationFile") != null
        || LogConfigurator.class.getResource("/logback-test.xml") != null) {
      return ExecutionStatus.INVOKE_NEXT_IF_ANY;
    }
    boolean isJson = System.getProperty(FORMAT, "text").equals("json");
    ConsoleAppender<ILoggingEvent> out = new ConsoleAppender<>();
    out.setContext(log);
    out.setName("out");
    out.setEncoder(isJson ? json(log) : text(log));
    out.start();
    log.getLogger("dev.holdfast")
        .setLevel(Level.toLevel(System.getProperty(LEVEL, "info"), Level.INFO));
    // Slow logs: what is written is said by the settings of each index.
    log.getLogger("index").setLevel(Level.TRACE);
    // Says twice what it says once when two servers share a process.
    log.getLogger("io.micrometer").setLevel(Level.ERROR);
    Logger root = log.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    root.setLevel(Level.WARN);
    root.addAppender(out);
    return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
  }

  private static Encoder<ILoggingEvent> text(LoggerContext log) {
    PatternLayoutEncoder text = new PatternLayoutEncoder();
    text.setContext(log);
    text.setPattern(LINE);
    text.start();
    return text;
  }

  @FromTheWorld
  private static Encoder<ILoggingEvent> json(LoggerContext log) {
    EcsEncoder json = new EcsEncoder(System.getProperty(NODE, ""), System.getProperty(CLUSTER, ""));
    json.setContext(log);
    json.start();
    return json;
  }
}
