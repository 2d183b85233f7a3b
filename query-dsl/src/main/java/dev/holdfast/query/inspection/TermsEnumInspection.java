package dev.holdfast.query.inspection;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.document.FieldType;
import dev.holdfast.document.ValueFormat;
import dev.holdfast.query.QueryContext;
import dev.holdfast.world.Json;
import dev.holdfast.world.StopSignal;
import dev.holdfast.world.WorkMemory;
import java.io.IOException;
import java.util.Locale;
import java.util.TreeSet;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.util.BytesRef;

/// Terms of a field that begin with a text: `{"field", "string", "size", "case_insensitive",
/// "search_after"}` gives `{"terms"}`, in order.
public final class TermsEnumInspection {
  public static final String NAME = "terms";

  /// A term as it is kept and told, beside its letters.
  private static final int TERM_BYTES = 160;

  private TermsEnumInspection() {}

  static ObjectNode answer(QueryContext context, ObjectNode body) throws IOException {
    String field = body.path("field").asText();
    String prefix = body.path("string").asText("");
    boolean ignoresCase = body.path("case_insensitive").asBoolean(false);
    int size = body.path("size").asInt(10);
    String after = body.has("search_after") ? body.path("search_after").asText() : null;
    TreeSet<String> found = new TreeSet<>();
    FieldType type = context.type(field);
    String constant = type == null ? null : type.constant();
    if (constant != null
        && begins(constant, prefix, ignoresCase)
        && (after == null || constant.compareTo(after) > 0)) {
      found.add(constant);
    }
    if (type != null && (type.hasTerms() || type.values().hasOrdinals())) {
      ValueFormat format = type.format(null, null);
      for (LeafReaderContext leaf : context.searcher().getIndexReader().leaves()) {
        Terms terms = leaf.reader().terms(context.path(field));
        if (terms == null) {
          continue;
        }
        TermsEnum iterator = terms.iterator();
        int taken = 0;
        String start = after != null && after.compareTo(prefix) > 0 ? after : prefix;
        BytesRef term =
            ignoresCase || iterator.seekCeil(new BytesRef(start)) == TermsEnum.SeekStatus.END
                ? ignoresCase ? iterator.next() : null
                : iterator.term();
        for (; term != null && taken < size; term = iterator.next()) {
          StopSignal.pollForCancelling(); // where case is ignored all terms are looked at
          String text = format.toText(term);
          boolean begins = begins(text, prefix, ignoresCase);
          if (!begins && !ignoresCase) {
            break;
          }
          if (begins && (after == null || text.compareTo(after) > 0)) {
            WorkMemory.add(TERM_BYTES + text.length());
            found.add(text);
            taken++;
          }
        }
      }
    }
    ObjectNode answer = Json.object();
    var list = answer.putArray("terms");
    found.stream().limit(size).forEach(list::add);
    return answer;
  }

  private static boolean begins(String text, String prefix, boolean ignoresCase) {
    return ignoresCase
        ? text.toLowerCase(Locale.ROOT).startsWith(prefix.toLowerCase(Locale.ROOT))
        : text.startsWith(prefix);
  }
}
