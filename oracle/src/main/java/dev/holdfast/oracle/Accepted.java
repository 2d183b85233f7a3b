package dev.holdfast.oracle;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Differences that are meant to be, with their reasons: `accepted-differences.txt`.
final class Accepted {
  private static final String REASON = "reason: ";

  private final List<Entry> entries = new ArrayList<>();

  private record Entry(Pattern pattern, String reason) {}

  /// @param text lines `reason: …`, each followed by patterns (one a line, found anywhere in
  ///   `feature request => difference @peer`) that it is the reason for
  Accepted(String text) {
    String reason = "";
    for (String line : text.lines().toList()) {
      if (line.startsWith(REASON)) {
        reason = line.substring(REASON.length());
      } else if (!line.isBlank() && !line.startsWith("#")) {
        entries.add(new Entry(Pattern.compile(line.strip()), reason));
      }
    }
  }

  static Accepted fromResource() throws IOException {
    try (InputStream in = Accepted.class.getResourceAsStream("accepted-differences.txt")) {
      if (in == null) {
        throw new IOException("no accepted-differences.txt");
      }
      return new Accepted(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    }
  }

  /// Why a difference is accepted; empty when it is not.
  ///
  /// @param before the steps that led to the request: what one of them is the reason for is
  ///   accepted of the next, too
  Optional<String> reason(
      String feature,
      List<OracleRequest> before,
      OracleRequest request,
      Difference difference,
      String peer) {
    String end = " => " + difference + " @" + peer;
    Optional<String> own = reason(feature + " " + request + end);
    if (own.isPresent() || before.isEmpty()) {
      return own;
    }
    String all = before.stream().map(OracleRequest::toString).collect(Collectors.joining(" THEN "));
    return reason(feature + " " + all + " THEN " + request + end);
  }

  private Optional<String> reason(String line) {
    return entries.stream()
        .filter(entry -> entry.pattern().matcher(line).find())
        .map(Entry::reason)
        .findFirst();
  }
}
