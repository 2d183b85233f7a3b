package dev.holdfast.api.indices.resolve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.world.Refusal;
import java.time.Instant;
import org.junit.jupiter.api.Test;

final class DateMathNamesTest {
  private static final long NOW = Instant.parse("2024-03-22T14:05:06Z").toEpochMilli();

  @Test
  void resolvesAsElasticsearchDocumentsIt() {
    assertThat(resolved("<logstash-{now/d}>")).isEqualTo("logstash-2024.03.22");
    assertThat(resolved("<logstash-{now/M}>")).isEqualTo("logstash-2024.03.01");
    assertThat(resolved("<logstash-{now/M{yyyy.MM}}>")).isEqualTo("logstash-2024.03");
    assertThat(resolved("<logstash-{now/M-1M{yyyy.MM}}>")).isEqualTo("logstash-2024.02");
    assertThat(resolved("<logstash-{now/d{yyyy.MM.dd|+12:00}}>")).isEqualTo("logstash-2024.03.23");
    assertThat(resolved("<elastic\\{ON\\}-{now/M}>")).isEqualTo("elastic{ON}-2024.03.01");
    assertThat(resolved("<week-{now/w+2h{yyyyMMddHH}}>")).isEqualTo("week-2024031802");
    assertThat(resolved("plain")).isEqualTo("plain");
  }

  @Test
  void refusesWhatHasNoEnd() {
    String far = "<a-{now+9223372036854775807w}>";
    for (String bad : new String[] {"<a-{now/d>", "<a}b>", "<a-{now/}>", "<a-{now%d}>", far}) {
      assertThatThrownBy(() -> resolved(bad)).isInstanceOf(Refusal.class);
    }
  }

  private static String resolved(String name) {
    return DateMathNames.resolve(name, NOW);
  }
}
