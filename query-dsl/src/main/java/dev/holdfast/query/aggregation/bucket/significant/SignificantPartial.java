package dev.holdfast.query.aggregation.bucket.significant;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.holdfast.compoundcommit.call.WireOutput;
import dev.holdfast.query.aggregation.column.TermKeys;
import dev.holdfast.query.aggregation.kernel.Bucket;
import dev.holdfast.query.aggregation.kernel.Bucketed;
import dev.holdfast.query.aggregation.kernel.DisplayFormat;
import dev.holdfast.query.aggregation.kernel.Group;
import dev.holdfast.query.aggregation.kernel.Partial;
import dev.holdfast.query.aggregation.kernel.PartialInput;
import dev.holdfast.query.aggregation.kernel.Reduction;
import dev.holdfast.query.aggregation.kernel.Results;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Terms of `significant_terms` with how frequent they are among the documents found and in the
/// background.
///
/// @param foundAll documents found
/// @param backgroundAll documents of the background
record SignificantPartial(
    SignificantRequest request,
    String typeName,
    List<Term> terms,
    long foundAll,
    long backgroundAll,
    DisplayFormat shown)
    implements Partial, Bucketed {

  /// @param ordinal by which sub-aggregations know it while its shard collects; -1 afterwards
  /// @param bucket its count is of the documents found
  /// @param background documents of the background with the term
  record Term(int ordinal, Bucket bucket, long background) {
    Term(Bucket bucket, long background) {
      this(-1, bucket, background);
    }

    Term merge(Term other) {
      return new Term(bucket.merge(other.bucket), background + other.background);
    }
  }

  SignificantPartial {
    terms = List.copyOf(terms);
  }

  /// The most significant terms of a shard.
  ///
  /// @param candidates without results of sub-aggregations
  static SignificantPartial best(
      SignificantRequest request,
      String typeName,
      List<Term> candidates,
      long foundAll,
      long backgroundAll,
      DisplayFormat shown,
      Group below)
      throws IOException {
    SignificantPartial all =
        new SignificantPartial(request, typeName, candidates, foundAll, backgroundAll, shown);
    for (Term term : candidates) {
      request
          .significance()
          .requireSuperset(term.bucket.count(), foundAll, term.background, backgroundAll);
    }
    // What is not significant here may be elsewhere, and is to be counted here, too.
    List<Term> kept = new ArrayList<>();
    for (Term term : all.sorted(candidates, request.shardSize())) {
      Bucket bucket = term.bucket;
      Results children = below.results(term.ordinal);
      kept.add(new Term(new Bucket(bucket.key(), bucket.count(), children), term.background));
    }
    return new SignificantPartial(request, typeName, kept, foundAll, backgroundAll, shown);
  }

  private double score(Term term) {
    return request
        .significance()
        .score(term.bucket.count(), foundAll, term.background, backgroundAll);
  }

  private List<Term> sorted(List<Term> candidates, int size) {
    List<Term> sorted = new ArrayList<>(candidates);
    sorted.sort(
        Comparator.comparingDouble(this::score)
            .reversed()
            .thenComparing(Term::bucket, Bucket.BY_KEY));
    return sorted.subList(0, Math.min(size, sorted.size()));
  }

  /// Nothing found, before the same background.
  @Override
  public Partial emptied(Partial empty) {
    return new SignificantPartial(request, typeName, List.of(), 0, backgroundAll, shown);
  }

  @Override
  public Partial merge(Partial other) {
    SignificantPartial right = (SignificantPartial) other;
    if (foundAll == 0 && backgroundAll == 0) {
      return right;
    }
    Map<Object, Term> merged = new LinkedHashMap<>();
    for (Term term : terms) {
      merged.put(term.bucket.key(), term);
    }
    for (Term term : right.terms) {
      merged.merge(term.bucket.key(), term, Term::merge);
    }
    return new SignificantPartial(
        request,
        typeName,
        new ArrayList<>(merged.values()),
        foundAll + right.foundAll,
        backgroundAll + right.backgroundAll,
        shown.or(right.shown));
  }

  @Override
  public Partial reduce(Reduction reduction) {
    List<Term> enough = new ArrayList<>(terms);
    enough.removeIf(term -> term.bucket.count() < request.minDocCount() || !(score(term) > 0));
    List<Term> best = sorted(enough, request.size());
    reduction.add(best.size());
    List<Term> reduced = new ArrayList<>(best.size());
    for (Term term : best) {
      Results children = request.children().reduce(term.bucket.children(), reduction);
      reduced.add(new Term(term.bucket.withChildren(children), term.background));
    }
    return new SignificantPartial(request, typeName, reduced, foundAll, backgroundAll, shown);
  }

  @Override
  public List<Bucket> buckets() {
    return terms.stream().map(Term::bucket).toList();
  }

  @Override
  public String name(Bucket bucket) {
    return TermKeys.text(bucket.key(), shown);
  }

  @Override
  public void render(JsonGenerator out, boolean isTyped) throws IOException {
    out.writeNumberField("doc_count", foundAll);
    out.writeNumberField("bg_count", backgroundAll);
    out.writeArrayFieldStart("buckets");
    for (Term term : terms) {
      out.writeStartObject();
      TermKeys.write(term.bucket.key(), shown, out);
      out.writeNumberField("doc_count", term.bucket.count());
      out.writeNumberField("score", score(term));
      out.writeNumberField("bg_count", term.background);
      term.bucket.children().render(out, isTyped);
      out.writeEndObject();
    }
    out.writeEndArray();
  }

  @Override
  public void write(WireOutput out) throws IOException {
    shown.write(out);
    out.writeString(typeName);
    out.writeVLong(foundAll);
    out.writeVLong(backgroundAll);
    out.writeVInt(terms.size());
    for (Term term : terms) {
      term.bucket.write(out);
      out.writeVLong(term.background);
    }
  }

  static SignificantPartial read(PartialInput in, SignificantRequest request) throws IOException {
    DisplayFormat shown = DisplayFormat.read(in);
    String typeName = in.data().readString();
    long foundAll = in.data().readVLong();
    long backgroundAll = in.data().readVLong();
    int count = in.data().readLength();
    List<Term> terms = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      Bucket bucket = Bucket.read(in, request.children());
      terms.add(new Term(bucket, in.data().readVLong()));
    }
    return new SignificantPartial(request, typeName, terms, foundAll, backgroundAll, shown);
  }
}
