package dev.holdfast.query.aggregation.bucket.significant;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.document.FieldType;
import dev.holdfast.document.SequentialFields;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.aggregation.column.TermFilter;
import dev.holdfast.query.aggregation.kernel.Aggregation;
import dev.holdfast.query.aggregation.kernel.Bucket;
import dev.holdfast.query.aggregation.kernel.Collecting;
import dev.holdfast.query.aggregation.kernel.Definition;
import dev.holdfast.query.aggregation.kernel.DisplayFormat;
import dev.holdfast.query.aggregation.kernel.KeyCollecting;
import dev.holdfast.query.aggregation.kernel.KeySet;
import dev.holdfast.query.aggregation.kernel.Label;
import dev.holdfast.query.aggregation.kernel.Partial;
import dev.holdfast.query.aggregation.kernel.PartialInput;
import dev.holdfast.query.aggregation.kernel.PlainFormat;
import dev.holdfast.query.aggregation.kernel.Results;
import dev.holdfast.query.aggregation.kernel.Unmapped;
import dev.holdfast.query.source.StoredDocument;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.StopSignal;
import dev.holdfast.world.WorkMemory;
import dev.holdfast.world.text.JsonTree;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntConsumer;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.TermToBytesRefAttribute;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.StoredFields;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.BytesRefHash;
import org.jspecify.annotations.Nullable;

/// The words of a text that are more frequent among the documents found than among all. Texts are
/// read from the source and analysed again: put it below a `sampler`.
///
/// @param sourceFields where the text is in the source
/// @param dropsDuplicates whether passages that were seen before are left out
public record SignificantText(
    Label label,
    String field,
    List<String> sourceFields,
    boolean dropsDuplicates,
    TermFilter filter,
    SignificantRequest request)
    implements Aggregation {
  /// As many words in the same order are a duplicate passage.
  private static final int PASSAGE_WORDS = 6;

  /// A passage among those that were seen, with its words.
  private static final long PASSAGE_BYTES = 200;

  /// A word among those that were seen, beside its letters.
  private static final long WORD_BYTES = 32;

  public static Aggregation parse(Definition definition) {
    JsonObject body = definition.body();
    String field = body.string("field");
    if (field == null) {
      throw Refusal.badArgument("Required one of fields [field], but none were specified.");
    }
    List<String> sourceFields =
        body.has("source_fields") ? body.strings("source_fields") : List.of(field);
    return new SignificantText(
        definition.label(),
        field,
        sourceFields,
        body.bool("filter_duplicate_text", false),
        TermFilter.parse(body.take("include"), body.take("exclude")),
        SignificantRequest.parse(definition, "text"));
  }

  @Override
  public Collecting bind(QueryContext context) throws IOException {
    FieldType type = context.type(field);
    if (type == null) {
      return new Unmapped(empty());
    }
    Analyzer analyzer = type.searchAnalyzer();
    if (analyzer == null) {
      throw Refusal.badArgument(
          "Field ["
              + field
              + "] of type ["
              + type.typeName()
              + "] is not supported for aggregation [significant_text]");
    }
    DisplayFormat shown = DisplayFormat.plain(PlainFormat.TERM);
    Words words = new Words(analyzer, filter.terms(shown.format(), context.memory()), context);
    String path = context.path(field);
    SignificantTerms.Background background =
        SignificantTerms.Background.of(request.background(), context);
    return new KeyCollecting(
        words::open,
        request.children().group(context),
        (found, documents, below) -> {
          List<SignificantPartial.Term> terms = new ArrayList<>(found.size());
          for (KeyCollecting.Found each : found) {
            if (each.count() >= request.shardMinDocCount()) {
              BytesRef word = words.word((int) each.key());
              long usual = background.count(new TermQuery(new Term(path, word)));
              terms.add(
                  new SignificantPartial.Term(
                      each.ordinal(), new Bucket(word, each.count(), Results.NONE), usual));
            }
          }
          return SignificantPartial.best(
              request, "sigsterms", terms, documents, background.size(), shown, below);
        });
  }

  /// Numbers of the words of a shard's texts.
  private final class Words {
    private final Analyzer analyzer;
    private final TermFilter.@Nullable Terms accepted;
    private final QueryContext context;
    private final List<String> paths;
    private final BytesRefHash words = new BytesRefHash();
    private final Set<List<Integer>> passages = new HashSet<>();
    private final BytesRef scratch = new BytesRef();

    Words(Analyzer analyzer, TermFilter.@Nullable Terms accepted, QueryContext context) {
      this.context = context;
      this.paths = sourceFields.stream().map(context::path).toList();
      this.analyzer = analyzer;
      this.accepted = accepted;
    }

    BytesRef word(int number) {
      return BytesRef.deepCopyOf(words.get(number, new BytesRef()));
    }

    KeyCollecting.Keys open(LeafReaderContext segment) throws IOException {
      StoredFields stored = SequentialFields.of(segment.reader());
      return (doc, into) -> {
        StoredDocument document = new StoredDocument(true);
        document.read(stored, segment.reader(), context.mapping(), doc);
        byte[] source = document.source();
        if (source != null) {
          try (JsonTree json = JsonTree.of(source)) {
            for (String path : paths) {
              read(at(json.root(), path), into);
            }
          }
        }
      };
    }

    private void read(JsonNode value, KeySet into) throws IOException {
      if (value.isArray()) {
        for (JsonNode each : value) {
          read(each, into);
        }
      } else if (value.isValueNode() && !value.isNull()) {
        if (dropsDuplicates) {
          distinct(value.asText(), into);
        } else {
          tokens(value.asText(), number -> add(number, into));
        }
      }
    }

    private void add(int number, KeySet into) {
      if (accepted == null || accepted.accepts(words.get(number, scratch))) {
        into.add(number);
      }
    }

    private void distinct(String text, KeySet into) throws IOException {
      List<Integer> numbers = new ArrayList<>();
      tokens(text, numbers::add);
      boolean[] isDuplicate = duplicates(numbers);
      for (int i = 0; i < numbers.size(); i++) {
        if (!isDuplicate[i]) {
          add(numbers.get(i), into);
        }
      }
    }

    private void tokens(String text, IntConsumer to) throws IOException {
      try (TokenStream tokens = analyzer.tokenStream(field, text)) {
        TermToBytesRefAttribute term = tokens.getAttribute(TermToBytesRefAttribute.class);
        tokens.reset();
        while (tokens.incrementToken()) {
          StopSignal.pollForCancelling();
          int number = words.add(term.getBytesRef());
          if (number >= 0) {
            WorkMemory.add(WORD_BYTES + term.getBytesRef().length);
          }
          to.accept(number < 0 ? -number - 1 : number);
        }
        tokens.end();
      }
    }

    private boolean[] duplicates(List<Integer> numbers) {
      boolean[] isDuplicate = new boolean[numbers.size()];
      for (int i = 0; i + PASSAGE_WORDS <= numbers.size(); i++) {
        StopSignal.pollForCancelling();
        WorkMemory.add(PASSAGE_BYTES);
        if (!passages.add(List.copyOf(numbers.subList(i, i + PASSAGE_WORDS)))) {
          Arrays.fill(isDuplicate, i, i + PASSAGE_WORDS, true);
        }
      }
      return isDuplicate;
    }
  }

  private static JsonNode at(JsonNode json, String path) {
    JsonNode node = json.path(path);
    if (!node.isMissingNode()) {
      return node;
    }
    int dot = path.indexOf('.');
    return dot < 0 ? node : at(json.path(path.substring(0, dot)), path.substring(dot + 1));
  }

  @Override
  public Partial empty() {
    return new SignificantPartial(
        request, "umsigterms", List.of(), 0, 0, DisplayFormat.plain(PlainFormat.TERM));
  }

  @Override
  public Partial read(PartialInput in) throws IOException {
    return SignificantPartial.read(in, request);
  }
}
