package dev.holdfast.api.search;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectReader;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.http.RequestBody;
import dev.holdfast.query.source.SourceFilter;
import dev.holdfast.world.Json;
import dev.holdfast.world.RawJson;
import dev.holdfast.world.text.JsonTree;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// `_source`, `_source_includes` and `_source_excludes` as query parameters.
public final class SourceParameters {
  public static final List<String> NAMES =
      List.of("_source", "_source_includes", "_source_excludes");

  /// Reads one member of an object that goes on.
  private static final ObjectReader MEMBERS =
      Json.MAPPER.reader().without(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

  private SourceParameters() {}

  /// @param isShownByDefault whether the source is shown when the request does not say
  public static SourceFilter read(ApiRequest request, boolean isShownByDefault) {
    SourceFilter filter = paths(request, isShownByDefault);
    return request.has("_source_exclude_vectors")
        ? filter.withVectors(request.flag("_source_exclude_vectors", true))
        : filter;
  }

  private static SourceFilter paths(ApiRequest request, boolean isShownByDefault) {
    List<String> includes = request.list("_source_includes");
    List<String> excludes = request.list("_source_excludes");
    String source = request.text("_source");
    if (source == null && includes.isEmpty() && excludes.isEmpty()) {
      return isShownByDefault ? SourceFilter.ALL : SourceFilter.NONE;
    }
    if (source != null && source.equals("false")) {
      return SourceFilter.NONE;
    }
    boolean arePaths = source != null && !source.equals("true") && !source.isEmpty();
    if (arePaths && includes.isEmpty()) {
      return new SourceFilter(true, request.list("_source"), excludes);
    }
    return new SourceFilter(true, includes, excludes);
  }

  /// What an update shows of the document it made: nothing unless asked, by the query parameters or
  /// by `_source` in the body, which wins.
  public static SourceFilter readFromUpdate(ApiRequest request, RequestBody body)
      throws IOException {
    return readFromUpdate(request, body, null);
  }

  /// @param byLine what the action line of a bulk says; null for nothing
  public static SourceFilter readFromUpdate(
      ApiRequest request, RequestBody body, @Nullable SourceFilter byLine) throws IOException {
    try (JsonParser parser =
        Json.REQUESTS.createParser(body.bytes(), body.offset(), body.length())) {
      if (parser.nextToken() == JsonToken.START_OBJECT) {
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
          boolean isSource = parser.currentName().equals("_source");
          parser.nextToken();
          if (isSource) {
            return source(parser, body);
          }
          parser.skipChildren();
        }
      }
    } catch (JsonProcessingException e) {
      return SourceFilter.NONE; // the write refuses this body, in better words
    }
    return byLine == null ? read(request, false) : byLine;
  }

  /// The value that the parser has come to, which may be nearly all of the body.
  private static SourceFilter source(JsonParser parser, RequestBody body) throws IOException {
    if (!parser.currentToken().isStructStart()) {
      return SourceFilter.parse(MEMBERS.readTree(parser));
    }
    int start = Math.toIntExact(parser.currentTokenLocation().getByteOffset());
    parser.skipChildren();
    int end = Math.toIntExact(parser.currentLocation().getByteOffset());
    try (JsonTree tree = JsonTree.of(body.bytes(), body.offset() + start, end - start)) {
      return SourceFilter.parse(tree.root());
    }
  }

  /// Writes `"_source": …` into the open object, as stored or filtered.
  public static void write(JsonGenerator out, SourceFilter filter, byte[] source)
      throws IOException {
    if (filter.isShown()) {
      out.writeFieldName("_source");
      RawJson.write(out, filter.apply(source));
    }
  }
}
