package dev.holdfast.http.server;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.holdfast.http.Answer;
import dev.holdfast.http.ByteSink;
import dev.holdfast.http.Format;
import dev.holdfast.http.Header;
import dev.holdfast.http.RequestMemory;
import dev.holdfast.http.filter.FilteringGenerator;
import dev.holdfast.http.filter.PathFilter;
import dev.holdfast.http.spool.RequestFiles;
import dev.holdfast.http.spool.SpoolFile;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Turns an answer into bytes and headers: format, indentation, `filter_path`, compression.
final class ResponseRendering {
  private ResponseRendering() {}

  static OutgoingResponse render(
      IncomingRequest request,
      ContentNegotiation negotiation,
      Map<String, String> parameters,
      Answer answer,
      @Nullable RequestFiles files)
      throws IOException {
    List<String> paths = Dispatcher.filterPaths(parameters);
    return files != null && answer.content() instanceof Answer.Content.Structured(var writer)
        ? large(request, negotiation, parameters, answer, writer, paths, files.createForAnswer())
        : small(request, negotiation, parameters, answer, paths);
  }

  /// An answer that may be too large for memory.
  private static OutgoingResponse large(
      IncomingRequest request,
      ContentNegotiation negotiation,
      Map<String, String> parameters,
      Answer answer,
      Answer.Writer writer,
      @Nullable List<String> paths,
      SpoolFile file)
      throws IOException {
    List<Header> headers = headers(request, answer);
    Format format = negotiation.answer();
    headers.add(new Header("Content-Type", format.mediaType(negotiation.compatibleWith())));
    String encoding =
        BodyCompression.encodingFor(request.headers().get("accept-encoding"), Integer.MAX_VALUE);
    if (encoding != null) {
      headers.add(new Header("Content-Encoding", encoding));
    }
    try (OutputStream out =
        encoding == null
            ? file.appending()
            : BodyCompression.encoding(encoding, file.appending())) {
      structured(writer, out, format, isPretty(parameters), paths);
    }
    return new OutgoingResponse(
        answer.status(), headers, new byte[0], file, file.length(), !isHead(request));
  }

  private static boolean isHead(IncomingRequest request) {
    return request.method().equals("HEAD");
  }

  private static List<Header> headers(IncomingRequest request, Answer answer) {
    List<Header> headers = new ArrayList<>(answer.headers());
    headers.add(new Header("X-Elastic-Product", "Elasticsearch"));
    String opaqueId = request.headers().get("x-opaque-id");
    if (opaqueId != null) {
      headers.add(new Header("X-Opaque-Id", opaqueId));
    }
    return headers;
  }

  /// Errors are never filtered, nor refused for lack of memory: they may say that there is none.
  static OutgoingResponse error(
      IncomingRequest request,
      ContentNegotiation negotiation,
      Map<String, String> parameters,
      Answer answer) {
    RequestMemory.settle();
    try {
      return small(request, negotiation, parameters, answer, null);
    } catch (IOException e) {
      throw new UncheckedIOException("an error could not be rendered", e);
    }
  }

  private static OutgoingResponse small(
      IncomingRequest request,
      ContentNegotiation negotiation,
      Map<String, String> parameters,
      Answer answer,
      @Nullable List<String> paths)
      throws IOException {
    List<Header> headers = headers(request, answer);
    byte[] bytes;
    int length;
    boolean isCompressible = true;
    switch (answer.content()) {
      case Answer.Content.Structured(Answer.Writer writer) -> {
        ByteSink sink = written(writer, negotiation, parameters, paths, headers);
        bytes = sink.array();
        length = sink.length();
      }
      case Answer.Content.Failed(Answer.Writer writer) -> {
        ByteSink sink = written(writer, negotiation, parameters, null, headers);
        bytes = sink.array();
        length = sink.length();
      }
      case Answer.Content.Text(String text) -> {
        headers.add(new Header("Content-Type", Format.TEXT.mediaType(0)));
        bytes = text.getBytes(StandardCharsets.UTF_8);
        length = bytes.length;
      }
      case Answer.Content.Raw(String contentType, byte[] raw) -> {
        headers.add(new Header("Content-Type", contentType));
        bytes = raw;
        length = raw.length;
        isCompressible =
            contentType.startsWith("text/")
                || contentType.contains("json")
                || contentType.contains("vector-tile");
      }
      case Answer.Content.Empty() -> {
        bytes = new byte[0];
        length = 0;
      }
    }
    String encoding =
        isCompressible
            ? BodyCompression.encodingFor(request.headers().get("accept-encoding"), length)
            : null;
    if (encoding != null) {
      if (length >= BodyCompression.LONG_BYTES) {
        ByteSink compressed = BodyCompression.encodeLong(encoding, bytes, length);
        bytes = compressed.array();
        length = compressed.length();
      } else {
        bytes = BodyCompression.encode(encoding, bytes, length);
        length = bytes.length;
      }
      headers.add(new Header("Content-Encoding", encoding));
    }
    return new OutgoingResponse(answer.status(), headers, bytes, null, length, !isHead(request));
  }

  /// @param headers to which the type of what is written is added
  private static ByteSink written(
      Answer.Writer writer,
      ContentNegotiation negotiation,
      Map<String, String> parameters,
      @Nullable List<String> paths,
      List<Header> headers)
      throws IOException {
    Format format = negotiation.answer();
    ByteSink sink = new ByteSink();
    structured(writer, sink, format, isPretty(parameters), paths);
    headers.add(new Header("Content-Type", format.mediaType(negotiation.compatibleWith())));
    return sink;
  }

  private static boolean isPretty(Map<String, String> parameters) {
    String pretty = parameters.get("pretty");
    return pretty != null && !pretty.equals("false");
  }

  private static void structured(
      Answer.Writer writer,
      OutputStream sink,
      Format format,
      boolean pretty,
      @Nullable List<String> paths)
      throws IOException {
    try (JsonGenerator whole =
        format.generator(sink, pretty).disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET)) {
      writer.write(filtered(whole, paths));
      if (paths != null && whole.getOutputContext().getEntryCount() == 0) {
        whole.writeStartObject(); // all was filtered out, and no format ends with nothing
        whole.writeEndObject();
      }
    }
    if (pretty && format == Format.JSON) {
      sink.write('\n');
    }
  }

  private static JsonGenerator filtered(JsonGenerator out, @Nullable List<String> paths) {
    if (paths == null) {
      return out;
    }
    List<String> includes = paths.stream().filter(path -> !path.startsWith("-")).toList();
    List<String> excludes =
        paths.stream().filter(path -> path.startsWith("-")).map(path -> path.substring(1)).toList();
    JsonGenerator filtered = out;
    if (!excludes.isEmpty()) {
      filtered = new FilteringGenerator(filtered, PathFilter.excluding(excludes));
    }
    if (!includes.isEmpty()) {
      filtered = new FilteringGenerator(filtered, PathFilter.including(includes));
    }
    return filtered;
  }
}
