package dev.holdfast.clientstest;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Locale;

/// A document, as applications hold them.
record Book(
    String title,
    String author,
    double price,
    int pages,
    String published,
    @JsonProperty("in_print") boolean inPrint) {

  /// Authors take turns, prices and pages rise, two appear each month of 2024.
  static Book of(int number) {
    return new Book(
        "volume " + number + " of the " + (number % 2 == 0 ? "short" : "long") + " history",
        List.of("austen", "borges", "calvino").get(number % 3),
        number + 0.5,
        100 + number,
        String.format(Locale.ROOT, "2024-%02d-15T12:00:00Z", number / 2 + 1),
        number % 4 == 0);
  }

  Book withPages(int other) {
    return new Book(title, author, price, other, published, inPrint);
  }
}
