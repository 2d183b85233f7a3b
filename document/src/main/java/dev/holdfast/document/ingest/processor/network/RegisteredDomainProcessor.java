package dev.holdfast.document.ingest.processor.network;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import com.google.common.net.InternetDomainName;
import dev.holdfast.document.ingest.FieldPath;
import dev.holdfast.document.ingest.IngestDocument;
import dev.holdfast.document.ingest.PipelineParser;
import dev.holdfast.document.ingest.Processor;
import dev.holdfast.document.ingest.ProcessorConfig;
import dev.holdfast.world.Refusal;
import org.jspecify.annotations.Nullable;

/// `registered_domain`: the parts of a domain name by the public suffix list: what somebody
/// registered, what is above it and what below.
///
/// @param prefix of the fields that are written: empty, or with a dot at its end
public record RegisteredDomainProcessor(FieldPath field, String prefix, boolean isMissingIgnored)
    implements Processor {
  public static Processor of(ProcessorConfig config, PipelineParser parsing) {
    String field = config.requiredString("field");
    String target = config.string("target_field", "");
    return new RegisteredDomainProcessor(
        FieldPath.of(field),
        target.isEmpty() ? "" : target + ".",
        config.flag("ignore_missing", true));
  }

  @Override
  public void apply(IngestDocument document) {
    JsonNode value = document.find(field);
    String text = value == null || value.isNull() ? "" : value.asText();
    InternetDomainName name = name(text);
    InternetDomainName suffix = name == null ? null : name.publicSuffix();
    if (name == null || suffix == null) {
      if (isMissingIgnored) {
        return;
      }
      throw Refusal.badArgument("unable to set domain information for document");
    }
    write(document, "domain", text);
    write(document, "top_level_domain", suffix.toString());
    if (!name.isUnderPublicSuffix()) {
      return;
    }
    String registered = name.topPrivateDomain().toString();
    write(document, "registered_domain", registered);
    int below = name.toString().length() - registered.length() - 1;
    if (below > 0) {
      write(document, "subdomain", name.toString().substring(0, below));
    }
  }

  private void write(IngestDocument document, String part, String value) {
    document.set(FieldPath.of(prefix + part), TextNode.valueOf(value));
  }

  private static @Nullable InternetDomainName name(String text) {
    try {
      return InternetDomainName.from(text);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }
}
