package dev.holdfast.query.clause.term;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.document.FieldType;
import dev.holdfast.document.date.DateFormat;
import dev.holdfast.query.ClauseBody;
import dev.holdfast.query.QueryClause;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.QueryReader;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.List;
import java.util.Locale;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;
import org.jspecify.annotations.Nullable;

/// Documents with a value in a range.
public record RangeClause(String field, FieldType.Range range) implements QueryClause {
  /// No member can be called so.
  private static final String NOT_AN_OBJECT = "\u0000";

  private static final List<String> RELATIONS = List.of("intersects", "contains", "within");

  public static QueryClause parse(ClauseBody body) {
    ClauseBody.OneField of = body.oneField(NOT_AN_OBJECT).named();
    JsonObject json = of.options().json();
    if (json.has(NOT_AN_OBJECT)) {
      throw QueryReader.parsing("[range] query does not support [" + of.field() + "]");
    }
    boolean lower = json.bool("include_lower", true);
    boolean upper = json.bool("include_upper", true);
    JsonNode from = bound(json.orNull("from"));
    JsonNode to = bound(json.orNull("to"));
    for (String name : List.of("gte", "gt", "lte", "lt")) {
      if (!json.has(name)) {
        continue;
      }
      JsonNode value = bound(json.orNull(name));
      if (name.startsWith("g")) {
        from = value;
        lower = name.endsWith("e");
      } else {
        to = value;
        upper = name.endsWith("e");
      }
    }
    String format = format(json.string("format"));
    ZoneId zone = zone(json.string("time_zone"));
    FieldType.Range range =
        new FieldType.Range(
            from, lower, to, upper, format, zone, relation(json.string("relation")));
    return of.options().finish(new RangeClause(of.field(), range));
  }

  private static @Nullable JsonNode bound(@Nullable JsonNode value) {
    if (value != null && value.isContainerNode()) {
      throw QueryReader.parsing("[range] query does not support objects or arrays as bounds");
    }
    return value;
  }

  /// A pattern that is none is refused whatever the field is.
  private static @Nullable String format(@Nullable String pattern) {
    return pattern == null ? null : DateFormat.of(pattern).pattern();
  }

  private static @Nullable ZoneId zone(@Nullable String name) {
    try {
      return name == null ? null : ZoneId.of(name);
    } catch (DateTimeException e) {
      throw new Refusal(ErrorType.PARSING, "[range] unknown time_zone [" + name + "]", e);
    }
  }

  private static FieldType.Relation relation(@Nullable String relation) {
    if (relation != null && !RELATIONS.contains(relation.toLowerCase(Locale.ROOT))) {
      throw Refusal.badArgument(relation + " is not a valid relation");
    }
    return relation == null
        ? FieldType.Relation.INTERSECTS
        : FieldType.Relation.valueOf(relation.toUpperCase(Locale.ROOT));
  }

  @Override
  public Query toLucene(QueryContext context) {
    FieldType type = context.type(field);
    if (type == null) {
      return new MatchNoDocsQuery("unmapped field [" + field + "]");
    }
    if (range.from() == null && range.to() == null) {
      return type.existsQuery(context.path(field)); // which fields without an index answer, too
    }
    FieldQueries.checkSearchable(field, type);
    if (type.hasTerms()) {
      context.beExpensive("[range] queries on [text] or [keyword] fields", "");
    }
    return type.rangeQuery(context.path(field), range, context.nowMillis());
  }
}
