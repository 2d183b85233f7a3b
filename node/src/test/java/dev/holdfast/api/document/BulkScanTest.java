package dev.holdfast.api.document;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.http.LargeBody;
import dev.holdfast.http.RequestBody;
import dev.holdfast.http.spool.SpoolFile;
import dev.holdfast.indexing.operation.WriteOperation;
import dev.holdfast.world.Refusal;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// The first reading of a large bulk against the one reading of a small one: the same refusals, and
/// parts that together are the same items.
final class BulkScanTest {
  private static final String[] LINES = {
    "{\"index\":{}}",
    "{\"index\":{\"_index\":\"books\",\"_id\":\"7\"}}",
    "{\"create\":{\"_index\":\"books\"}}\r",
    "{\"delete\":{\"_id\":\"3\"}}",
    "{\"update\":{\"_id\":\"3\"}}",
    "",
    "  ",
  };

  private static final String[] RARE = {
    "{\"update\":{}}",
    "{\"delete\":{\"_index\":\"books\"}}",
    "{\"index\":{\"wrong\":1}}",
    "{\"index\":",
    "[]",
    "{\"other\":{}}",
    "{\"index\":{\"_id\":\"\"}}"
  };

  private record Held(byte[] bytes, int piece, long partBytes) implements LargeBody {
    @Override
    public InputStream open() {
      return new ByteArrayInputStream(bytes) {
        @Override
        public synchronized int read(byte[] into, int offset, int count) {
          return super.read(into, offset, Math.min(count, piece));
        }
      };
    }

    @Override
    public void reserve(long more) {}

    @Override
    public SpoolFile file() {
      throw new UnsupportedOperationException("nothing is answered");
    }
  }

  private static String text(SplittableRandom random) {
    StringBuilder text = new StringBuilder();
    int lines = random.nextInt(40);
    for (int i = 0; i < lines; i++) {
      String line = LINES[random.nextInt(LINES.length)];
      text.append(random.nextInt(60) == 0 ? RARE[random.nextInt(RARE.length)] : line).append('\n');
      if (!line.isBlank() && !line.contains("delete")) {
        text.append("{\"title\":\"").repeat("long ", random.nextInt(100)).append("\"}\n");
      }
    }
    return random.nextInt(8) == 0 ? text + "{\"n\":1}" : text.toString();
  }

  private record Outcome(@Nullable String refusal, List<BulkBody.Item> items, String documents) {}

  private static Outcome whole(byte[] bytes) {
    try {
      List<BulkBody.Item> items = BulkBody.parse(RequestBody.of(bytes));
      BulkBody.requireValid(items, "default");
      return outcome(items, bytes);
    } catch (Refusal e) {
      return new Outcome(e.type() + " " + e.reason(), List.of(), "");
    }
  }

  private static Outcome outcome(List<BulkBody.Item> items, byte[] bytes) {
    StringBuilder documents = new StringBuilder();
    List<BulkBody.Item> placeless = new ArrayList<>();
    for (BulkBody.Item item : items) {
      documents
          .append(new String(bytes, item.offset(), item.length(), StandardCharsets.UTF_8))
          .append('|');
      placeless.add(new BulkBody.Item(item.action(), 0, 0));
    }
    return new Outcome(null, placeless, documents.toString());
  }

  private static Outcome inParts(Held body, int itemsMax) throws Exception {
    BulkScan.Parts parts;
    try {
      parts = BulkScan.of(body, itemsMax, "default", (_, _, _, _) -> {});
    } catch (Refusal e) {
      return new Outcome(e.type() + " " + e.reason(), List.of(), "");
    }
    List<BulkBody.Item> items = new ArrayList<>();
    StringBuilder documents = new StringBuilder();
    long next = 0;
    for (BulkScan.Part part : parts.list()) {
      assertThat(part.offset()).isEqualTo(next);
      next += part.bytes();
      byte[] bytes = new byte[part.bytes()];
      System.arraycopy(body.bytes, (int) part.offset(), bytes, 0, bytes.length);
      List<BulkBody.Item> some = BulkBody.parse(RequestBody.of(bytes));
      assertThat(some).hasSize(part.items()).hasSizeLessThanOrEqualTo(itemsMax);
      assertThat(part.bytes() <= body.partBytes || some.size() == 1 || isBlank(bytes)).isTrue();
      Outcome outcome = outcome(some, bytes);
      items.addAll(outcome.items());
      documents.append(outcome.documents());
    }
    assertThat(next).isEqualTo(body.bytes.length);
    assertThat(parts.items()).isEqualTo(items.size());
    return new Outcome(null, items, documents.toString());
  }

  /// Blank lines at the end are in the last part whatever their length.
  private static boolean isBlank(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8).endsWith("\n\n")
        || new String(bytes, StandardCharsets.UTF_8).endsWith("  \n");
  }

  @Test
  void bothReadingsAreOne() throws Exception {
    SplittableRandom random = new SplittableRandom(20261124);
    int refused = 0;
    for (int round = 0; round < 20_000; round++) {
      byte[] bytes = text(random).getBytes(StandardCharsets.UTF_8);
      Held body = new Held(bytes, 1 + random.nextInt(700), 1 + random.nextInt(1500));
      Outcome expected = whole(bytes);
      assertThat(inParts(body, 1 + random.nextInt(6)))
          .as(new String(bytes, StandardCharsets.UTF_8))
          .isEqualTo(expected);
      refused += expected.refusal() == null ? 0 : 1;
    }
    assertThat(refused).isBetween(1_000, 19_000);
  }

  /// Longer than what is read at a time.
  @Test
  void longLinesAreRead() throws Exception {
    String id = "x".repeat(400_000);
    String text =
        "{\"index\":{\"_id\":\"" + id + "\"}}\n{\"t\":\"" + id + "\"}\n{\"index\":{}}\n{}\n";
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    Held body = new Held(bytes, 50_000, 1000);
    assertThat(inParts(body, 10)).isEqualTo(whole(bytes));
  }

  @Test
  void updatesAreLookedAtWholeBeforeAnythingIsWritten() throws Exception {
    String update = "{\"doc\":{\"a\":\"" + "x".repeat(300_000) + "\"}}";
    byte[] bytes =
        ("{\"index\":{\"_id\":\"1\"}}\n{\"a\":1}\n{\"update\":{\"_id\":\"2\"}}\n" + update + "\n")
            .getBytes(StandardCharsets.UTF_8);
    List<String> seen = new ArrayList<>();

    BulkScan.of(
        new Held(bytes, 50_000, 1000),
        10,
        "default",
        (action, buffer, offset, length) -> {
          if (action.kind() == WriteOperation.Kind.UPDATE) {
            seen.add(new String(buffer, offset, length, StandardCharsets.UTF_8));
          }
        });

    assertThat(seen).containsExactly(update);
  }
}
