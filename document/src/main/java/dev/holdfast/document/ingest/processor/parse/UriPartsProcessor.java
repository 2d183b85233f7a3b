package dev.holdfast.document.ingest.processor.parse;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.document.ingest.IngestDocument;
import dev.holdfast.document.ingest.PipelineParser;
import dev.holdfast.document.ingest.Processor;
import dev.holdfast.document.ingest.ProcessorConfig;
import dev.holdfast.document.ingest.SourceField;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.net.URI;
import java.net.URISyntaxException;

/// `uri_parts`: scheme, domain, path, … of a URI as an object.
public record UriPartsProcessor(SourceField field, boolean removesSource, boolean keepsOriginal)
    implements Processor {
  public static Processor of(ProcessorConfig config, PipelineParser parsing) {
    return new UriPartsProcessor(
        SourceField.of(config, "url"),
        config.flag("remove_if_successful", false),
        config.flag("keep_original", true));
  }

  @Override
  public void apply(IngestDocument document) {
    String text = field.text(document, "cannot process it.");
    if (text == null) {
      return;
    }
    ObjectNode parts = parts(text);
    if (keepsOriginal) {
      parts.put("original", text);
    }
    if (removesSource && !field.from().fill(document).equals(field.to().fill(document))) {
      document.remove(field.from().path(document));
    }
    field.write(document, parts);
  }

  private static ObjectNode parts(String text) {
    URI uri;
    try {
      uri = new URI(text);
    } catch (URISyntaxException e) {
      throw Refusal.badArgument("unable to parse URI [" + text + "]");
    }
    ObjectNode parts = Json.object();
    put(parts, "domain", uri.getHost());
    put(parts, "fragment", uri.getFragment());
    String path = uri.getPath();
    parts.put("path", path);
    int dot = path == null ? -1 : path.lastIndexOf('.');
    if (path != null && dot > path.lastIndexOf('/') && dot + 1 < path.length()) {
      parts.put("extension", path.substring(dot + 1));
    }
    if (uri.getPort() >= 0) {
      parts.put("port", uri.getPort());
    }
    put(parts, "query", uri.getQuery());
    put(parts, "scheme", uri.getScheme());
    String user = uri.getUserInfo();
    if (user != null) {
      parts.put("user_info", user);
      int colon = user.indexOf(':');
      put(parts, "username", colon < 0 ? null : user.substring(0, colon));
      put(parts, "password", colon < 0 ? null : user.substring(colon + 1));
    }
    return parts;
  }

  private static void put(
      ObjectNode parts, String name, @org.jspecify.annotations.Nullable String value) {
    if (value != null) {
      parts.put(name, value);
    }
  }
}
