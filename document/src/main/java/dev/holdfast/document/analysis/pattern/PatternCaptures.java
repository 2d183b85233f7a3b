package dev.holdfast.document.analysis.pattern;

import dev.holdfast.world.text.BoundedText;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.lucene.analysis.TokenFilter;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.analysis.tokenattributes.PositionIncrementAttribute;
import org.apache.lucene.util.AttributeSource;
import org.jspecify.annotations.Nullable;

/// `pattern_capture`: each group that an expression captures of a token is a token of the same
/// position and offsets, in the order in which they begin.
public final class PatternCaptures extends TokenFilter {
  private final CharTermAttribute term = addAttribute(CharTermAttribute.class);
  private final PositionIncrementAttribute position =
      addAttribute(PositionIncrementAttribute.class);
  private final BoundedText.Looks looks = new BoundedText.Looks();
  private final List<Pattern> patterns;
  private final boolean keepsOriginal;
  private final Deque<String> waiting = new ArrayDeque<>();
  private AttributeSource.@Nullable State original;

  private record Capture(int start, int end) {}

  /// @param keepsOriginal whether the token stays beside what is captured of it; one of which
  ///   nothing is captured always does
  public PatternCaptures(TokenStream input, List<Pattern> patterns, boolean keepsOriginal) {
    super(input);
    this.patterns = List.copyOf(patterns);
    this.keepsOriginal = keepsOriginal;
  }

  @Override
  public boolean incrementToken() throws IOException {
    if (!waiting.isEmpty()) {
      restoreState(original);
      position.setPositionIncrement(0);
      term.setEmpty().append(waiting.removeFirst());
      return true;
    }
    if (!input.incrementToken()) {
      return false;
    }
    capture(term.toString());
    original = waiting.isEmpty() ? null : captureState();
    if (!keepsOriginal && !waiting.isEmpty()) {
      term.setEmpty().append(waiting.removeFirst());
    }
    return true;
  }

  /// Queues the groups of all expressions, always the one next whose expression's next group begins
  /// first.
  private void capture(String text) {
    List<Deque<Capture>> captures = new ArrayList<>();
    for (Pattern pattern : patterns) {
      captures.add(captures(pattern, text));
    }
    while (true) {
      Deque<Capture> first = null;
      for (Deque<Capture> each : captures) {
        if (!each.isEmpty() && (first == null || each.getFirst().start < first.getFirst().start)) {
          first = each;
        }
      }
      if (first == null) {
        return;
      }
      Capture next = first.removeFirst();
      waiting.add(text.substring(next.start, next.end));
    }
  }

  private Deque<Capture> captures(Pattern pattern, String text) {
    Deque<Capture> captures = new ArrayDeque<>();
    Matcher matcher = pattern.matcher(new BoundedText(text, looks));
    while (BoundedText.find(matcher)) {
      for (int group = 1; group <= matcher.groupCount(); group++) {
        int start = matcher.start(group);
        int end = matcher.end(group);
        boolean isOriginal = keepsOriginal && start == 0 && end == text.length();
        if (start < end && !isOriginal) {
          captures.add(new Capture(start, end));
        }
      }
    }
    return captures;
  }

  @Override
  public void reset() throws IOException {
    super.reset();
    looks.reset();
    waiting.clear();
    original = null;
  }
}
