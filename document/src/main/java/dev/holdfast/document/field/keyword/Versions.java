package dev.holdfast.document.field.keyword;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.lucene.util.BytesRef;

/// Software versions as terms whose order is that of semantic versioning: each number has its
/// length before it, and a release follows what came before it. Text that is no version sorts
/// behind all that are, as text.
final class Versions {
  private static final Pattern VERSION =
      Pattern.compile(
          "((?:0|[1-9][0-9]*)(?:\\.(?:0|[1-9][0-9]*))*+)(-[0-9A-Za-z.-]+)?(\\+[0-9A-Za-z.-]+)?");
  private static final Pattern STEP = Pattern.compile("[0-9]+|[^0-9]+");
  private static final int NUMBER = 1;
  private static final int BEFORE_RELEASE = 2;
  private static final int RELEASE = 3;
  private static final int LENGTH_FLAG = 0x80;
  private static final int LENGTH_MAX = 0x7F;

  private Versions() {}

  static BytesRef encode(String text) {
    Matcher parts = VERSION.matcher(text);
    if (!parts.matches()) {
      return new BytesRef(text);
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    numbers(parts.group(1), out);
    String before = parts.group(2);
    if (before == null) {
      out.write(RELEASE);
    } else {
      out.write(BEFORE_RELEASE);
      numbers(before.substring(1), out);
    }
    if (parts.group(3) != null) {
      out.writeBytes(parts.group(3).getBytes(StandardCharsets.UTF_8));
    }
    return new BytesRef(out.toByteArray());
  }

  private static void numbers(String text, ByteArrayOutputStream out) {
    boolean startsStep = true;
    Matcher steps = STEP.matcher(text);
    while (steps.find()) {
      String step = steps.group();
      boolean endsStep = steps.end() == text.length() || text.charAt(steps.end()) == '.';
      boolean isNumber = Character.isDigit(step.charAt(0)) && step.length() <= LENGTH_MAX;
      if (isNumber && startsStep && endsStep) {
        out.write(NUMBER);
        out.write(LENGTH_FLAG | step.length());
      }
      out.writeBytes(step.getBytes(StandardCharsets.UTF_8));
      startsStep = step.endsWith(".");
    }
  }

  static String decode(BytesRef term) {
    byte[] text = new byte[term.length];
    int length = 0;
    for (int i = term.offset; i < term.offset + term.length; i++) {
      switch (term.bytes[i]) {
        case NUMBER -> i++;
        case BEFORE_RELEASE -> text[length++] = '-';
        case RELEASE -> {}
        default -> text[length++] = term.bytes[i];
      }
    }
    return new String(text, 0, length, StandardCharsets.UTF_8);
  }
}
