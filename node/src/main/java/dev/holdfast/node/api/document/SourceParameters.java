package dev.holdfast.node.api.document;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.holdfast.node.http.ApiRequest;
import dev.holdfast.query.SourceFilter;
import dev.holdfast.world.RawUtf8;
import java.io.IOException;
import java.util.List;

/// `_source`, `_source_includes` and `_source_excludes` as query parameters.
final class SourceParameters {
  static final List<String> NAMES =
      List.of(
          "_source", "_source_includes", "_source_excludes", "_source_include", "_source_exclude");

  private SourceParameters() {}

  /// @param isShownByDefault whether the source is shown when the request does not say
  static SourceFilter read(ApiRequest request, boolean isShownByDefault) {
    List<String> includes = request.list("_source_includes");
    List<String> excludes = request.list("_source_excludes");
    String source = request.text("_source");
    if (source == null && includes.isEmpty() && excludes.isEmpty()) {
      return isShownByDefault ? SourceFilter.ALL : SourceFilter.NONE;
    }
    if (source != null && source.equals("false")) {
      return SourceFilter.NONE;
    }
    if (source != null && !source.equals("true") && !source.isEmpty()) {
      return new SourceFilter(true, request.list("_source"), excludes);
    }
    return new SourceFilter(true, includes, excludes);
  }

  /// Writes `"_source": …` into the open object, as stored or filtered.
  static void write(JsonGenerator out, SourceFilter filter, byte[] source) throws IOException {
    if (filter.isShown()) {
      out.writeFieldName("_source");
      RawUtf8.write(out, filter.apply(source));
    }
  }
}
