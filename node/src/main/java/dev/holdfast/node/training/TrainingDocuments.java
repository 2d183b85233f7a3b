package dev.holdfast.node.training;

import java.util.Locale;

/// Kinds of documents that people index: short lines with a time, rows of numbers, and deep objects
/// that nobody wrote a mapping for.
enum TrainingDocuments {
  LINES(
      30_000,
      1_000,
      """
      {"properties":{"@timestamp":{"type":"date"},"address":{"type":"ip"},"status":{"type":"integer"},
      "size":{"type":"integer"},"message":{"type":"text","fields":{"raw":{"type":"keyword","ignore_above":256}}}}}
      """) {
    @Override
    void append(StringBuilder to, int number, TrainingRandom dice) {
      to.append("{\"@timestamp\":\"")
          .append(TrainingRandom.time(number))
          .append("\",\"address\":\"10.");
      to.append(dice.below(4))
          .append('.')
          .append(dice.below(40))
          .append('.')
          .append(dice.below(250));
      to.append("\",\"message\":\"GET /").append(dice.word()).append('/').append(dice.word());
      to.append(".html HTTP/1.1\",\"status\":").append(dice.below(9) == 0 ? 404 : 200);
      to.append(",\"size\":").append(dice.below(50_000)).append('}');
    }
  },

  ROWS(
      12_000,
      1_000,
      """
      {"properties":{"begin":{"type":"date","format":"yyyy-MM-dd HH:mm:ss"},"end":{"type":"date"},
      "from":{"type":"geo_point"},"to":{"type":"geo_point"},"zone":{"type":"keyword"},"kind":{"type":"keyword"},
      "vendor":{"type":"text"},"count":{"type":"integer"},"distance":{"type":"float"},"price":{"type":"double"},
      "tip":{"type":"float"},"tax":{"type":"scaled_float","scaling_factor":100},"paid":{"type":"boolean"}}}
      """) {
    @Override
    void append(StringBuilder to, int number, TrainingRandom dice) {
      String time = TrainingRandom.time(number * 20);
      to.append("{\"begin\":\"").append(time, 0, 10).append(' ').append(time, 11, 19);
      to.append("\",\"end\":\"")
          .append(TrainingRandom.time(number * 20 + 900))
          .append("\",\"from\":[");
      point(to, dice).append("],\"to\":[");
      point(to, dice).append("],\"zone\":\"").append(dice.word()).append("\",\"kind\":\"k");
      to.append(dice.below(5)).append("\",\"vendor\":\"").append(dice.words(3));
      to.append("\",\"count\":").append(1 + dice.below(6)).append(",\"distance\":");
      decimal(to, dice, 2_000).append(",\"price\":");
      decimal(to, dice, 9_000).append(",\"tip\":");
      decimal(to, dice, 500).append(",\"tax\":");
      decimal(to, dice, 50).append(",\"paid\":").append(dice.below(2) == 0).append('}');
    }
  },

  EVENTS(3_000, 250, "{}") {
    @Override
    void append(StringBuilder to, int number, TrainingRandom dice) {
      to.append("{\"id\":\"").append(number).append("\",\"type\":\"Type").append(dice.below(9));
      to.append("\",\"created_at\":\"")
          .append(TrainingRandom.time(number * 60))
          .append("\",\"public\":true,");
      to.append("\"actor\":{\"id\":").append(dice.skewed(90_000)).append(",\"login\":\"");
      to.append(dice.word()).append("\",\"url\":\"https://example.org/users/").append(dice.word());
      to.append("\"},\"place\":{\"name\":\"").append(dice.word()).append('/').append(dice.word());
      to.append("\",\"stars\":").append(dice.below(900)).append("},\"payload\":{\"size\":");
      int changes = 1 + dice.below(6);
      to.append(changes).append(",\"changes\":[");
      for (int i = 0; i < changes; i++) {
        to.append(i == 0 ? "" : ",")
            .append("{\"sha\":\"")
            .append(Long.toHexString(dice.below(1 << 30)));
        to.append("\",\"message\":\"").append(dice.words(20)).append("\",\"author\":{\"name\":\"");
        to.append(dice.words(2))
            .append("\",\"mail\":\"")
            .append(dice.word())
            .append("@example.org\"}}");
      }
      to.append("],\"body\":\"").append(dice.words(120)).append("\"}}");
    }
  };

  final int count;

  /// Documents of a bulk request.
  final int batch;

  final String mappings;

  TrainingDocuments(int count, int batch, String mappings) {
    this.count = count;
    this.batch = batch;
    this.mappings = mappings;
  }

  String index() {
    return "train-" + name().toLowerCase(Locale.ROOT);
  }

  /// Appends the JSON of one document, without a line end.
  abstract void append(StringBuilder to, int number, TrainingRandom dice);

  private static StringBuilder point(StringBuilder to, TrainingRandom dice) {
    return to.append("-73.")
        .append(900 + dice.below(99))
        .append(",40.")
        .append(700 + dice.below(99));
  }

  private static StringBuilder decimal(StringBuilder to, TrainingRandom dice, int limit) {
    return to.append(dice.below(limit)).append('.').append(10 + dice.below(90));
  }
}
