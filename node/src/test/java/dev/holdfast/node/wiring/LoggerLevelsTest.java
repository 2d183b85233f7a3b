package dev.holdfast.node.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.node.FixedState;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// Levels of loggers that no code logs under.
final class LoggerLevelsTest {
  private static void follow(LoggerContext context, int count, String... others) {
    TreeMap<String, Object> settings = new TreeMap<>();
    for (int i = 0; i < count; i++) {
      settings.put("logger.a" + i + ".a".repeat(240), "INFO");
    }
    for (String other : others) {
      settings.put("logger." + other, "DEBUG");
    }
    LoggerLevels.follow(
        new FixedState(ClusterState.empty("cluster").withSettings(settings)), context);
  }

  @Test
  void namesThatAreTooLongDoNotShutOutShortOnes() {
    LoggerContext context = new LoggerContext();

    follow(context, 30, "z");

    assertThat(context.exists("a0" + ".a".repeat(240))).isNotNull();
    assertThat(context.exists("a9" + ".a".repeat(240))).isNull();
    assertThat(context.getLogger("z").getLevel()).isEqualTo(Level.DEBUG);
  }
}
