package dev.holdfast.query.statistics;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.world.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.CollectionStatistics;
import org.apache.lucene.search.TermStatistics;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/// How frequent terms are, and how long fields, in some shards together.
///
/// @param isAsked whether a shard is asked for its own; then there are none yet
public record GatheredStatistics(
    boolean isAsked, SortedMap<Term, OfTerm> terms, SortedMap<String, OfField> fields) {
  /// What a shard is asked with.
  public static final GatheredStatistics ASKED =
      new GatheredStatistics(true, new TreeMap<>(), new TreeMap<>());

  private static final String MEMBER = "_statistics";

  /// @param documents that have the term
  /// @param occurrences of the term in them
  public record OfTerm(long documents, long occurrences) {
    OfTerm plus(OfTerm other) {
      return new OfTerm(documents + other.documents, occurrences + other.occurrences);
    }
  }

  /// @param documentsMax of the shards, deleted ones too
  /// @param documents that have the field
  /// @param occurrences of terms in it
  /// @param postings pairs of term and document
  public record OfField(long documentsMax, long documents, long occurrences, long postings) {
    OfField plus(OfField other) {
      return new OfField(
          documentsMax + other.documentsMax,
          documents + other.documents,
          occurrences + other.occurrences,
          postings + other.postings);
    }
  }

  /// None yet, to be filled.
  public static GatheredStatistics empty() {
    return new GatheredStatistics(false, new TreeMap<>(), new TreeMap<>());
  }

  /// Adds what a shard says of a term.
  public void note(TermStatistics one, String field) {
    terms.put(
        new Term(field, BytesRef.deepCopyOf(one.term())),
        new OfTerm(one.docFreq(), one.totalTermFreq()));
  }

  /// Adds what a shard says of a field.
  public void note(CollectionStatistics one) {
    fields.put(
        one.field(),
        new OfField(one.maxDoc(), one.docCount(), one.sumTotalTermFreq(), one.sumDocFreq()));
  }

  /// Those of a term; null when no shard has it.
  @Nullable TermStatistics of(Term term) {
    OfTerm all = terms.get(term);
    return all == null ? null : new TermStatistics(term.bytes(), all.documents, all.occurrences);
  }

  /// Those of a field; null when no shard has it.
  @Nullable CollectionStatistics of(String field) {
    OfField all = fields.get(field);
    return all == null
        ? null
        : new CollectionStatistics(
            field, all.documentsMax, all.documents, all.occurrences, all.postings);
  }

  /// These and those of other shards.
  public GatheredStatistics plus(GatheredStatistics other) {
    SortedMap<Term, OfTerm> allTerms = new TreeMap<>(terms);
    other.terms.forEach((term, one) -> allTerms.merge(term, one, OfTerm::plus));
    SortedMap<String, OfField> allFields = new TreeMap<>(fields);
    other.fields.forEach((field, one) -> allFields.merge(field, one, OfField::plus));
    return new GatheredStatistics(false, allTerms, allFields);
  }

  /// As an answer to who asked: `{"terms": [[field, bytes, documents, occurrences], …], "fields":
  /// {name: [documents at most, documents, occurrences, postings]}}`.
  public ObjectNode toJson() {
    ObjectNode json = Json.object().put("asked", isAsked);
    ArrayNode list = json.putArray("terms");
    terms.forEach((term, one) -> {
      BytesRef bytes = term.bytes();
      list.addArray()
          .add(term.field())
          .add(Arrays.copyOfRange(bytes.bytes, bytes.offset, bytes.offset + bytes.length))
          .add(one.documents)
          .add(one.occurrences);
    });
    ObjectNode named = json.putObject("fields");
    fields.forEach((field, one) ->
        named
            .putArray(field)
            .add(one.documentsMax)
            .add(one.documents)
            .add(one.occurrences)
            .add(one.postings));
    return json;
  }

  /// Reads what [#toJson] wrote.
  public static GatheredStatistics of(JsonNode json) {
    GatheredStatistics read =
        new GatheredStatistics(json.path("asked").asBoolean(), new TreeMap<>(), new TreeMap<>());
    try {
      for (JsonNode one : json.path("terms")) {
        read.terms.put(
            new Term(one.path(0).asText(), new BytesRef(one.path(1).binaryValue())),
            new OfTerm(one.path(2).asLong(), one.path(3).asLong()));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    json.path("fields")
        .properties()
        .forEach(field -> {
          JsonNode one = field.getValue();
          read.fields.put(
              field.getKey(),
              new OfField(
                  one.path(0).asLong(),
                  one.path(1).asLong(),
                  one.path(2).asLong(),
                  one.path(3).asLong()));
        });
    return read;
  }

  /// Puts them beside a search that travels between nodes. Clients cannot send them: a body of
  /// theirs is never read as one that travelled.
  public ObjectNode beside(ObjectNode body) {
    ObjectNode both = Json.object();
    both.setAll(body);
    both.set(MEMBER, toJson());
    return both;
  }

  /// Takes them out of a body that travelled; null when it has none.
  public static @Nullable GatheredStatistics take(ObjectNode body) {
    JsonNode given = body.remove(MEMBER);
    return given == null ? null : of(given);
  }
}
