package dev.holdfast.document.ingest.processor.network;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.holdfast.document.ingest.FieldPath;
import dev.holdfast.document.ingest.IngestDocument;
import dev.holdfast.document.ingest.PipelineParser;
import dev.holdfast.document.ingest.Processor;
import dev.holdfast.document.ingest.ProcessorConfig;
import dev.holdfast.document.ingest.TextTemplate;
import dev.holdfast.world.Refusal;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// `network_direction`: whether a connection goes into, out of, inside or past the networks that
/// are one's own.
///
/// @param internal names and ranges of networks; empty where a field of the document has them
/// @param internalField null for none
public record NetworkDirectionProcessor(
    FieldPath source,
    FieldPath destination,
    FieldPath target,
    List<TextTemplate> internal,
    @Nullable FieldPath internalField,
    boolean isMissingIgnored)
    implements Processor {
  public static Processor of(ProcessorConfig config, PipelineParser parsing) {
    String source = config.string("source_ip", "source.ip");
    String destination = config.string("destination_ip", "destination.ip");
    String target = config.string("target_field", "network.direction");
    List<String> networks = config.list("internal_networks");
    String field = config.string("internal_networks_field");
    if (networks.isEmpty() && field == null) {
      throw config.wrong("internal_networks", "or [internal_networks_field] must be specified");
    }
    if (!networks.isEmpty() && field != null) {
      throw config.wrong(
          "internal_networks",
          "and [internal_networks_field] cannot both be used in the same processor");
    }
    networks.stream()
        .filter(one -> one.indexOf('{') < 0)
        .forEach(one -> {
          try {
            NetworkRange.of(one);
          } catch (Refusal e) {
            throw config.wrong("internal_networks", e.reason());
          }
        });
    return new NetworkDirectionProcessor(
        FieldPath.of(source),
        FieldPath.of(destination),
        FieldPath.of(target),
        networks.stream().map(TextTemplate::of).toList(),
        field == null ? null : FieldPath.of(field),
        config.flag("ignore_missing", true));
  }

  @Override
  public void apply(IngestDocument document) {
    InetAddress from = address(document, source);
    InetAddress to = address(document, destination);
    List<NetworkRange> networks = networks(document);
    if (from == null || to == null || networks == null) {
      if (isMissingIgnored) {
        return;
      }
      throw Refusal.badArgument("unable to calculate network direction from document");
    }
    boolean isFromInside = networks.stream().anyMatch(one -> one.contains(from));
    boolean isToInside = networks.stream().anyMatch(one -> one.contains(to));
    String direction =
        isFromInside ? isToInside ? "internal" : "outbound" : isToInside ? "inbound" : "external";
    document.set(target, TextNode.valueOf(direction));
  }

  private @Nullable List<NetworkRange> networks(IngestDocument document) {
    if (internalField == null) {
      return internal.stream().map(one -> NetworkRange.of(one.fill(document))).toList();
    }
    JsonNode given = document.find(internalField);
    if (given == null || given.isNull()) {
      return null;
    }
    List<NetworkRange> ranges = new ArrayList<>();
    if (given.isArray()) {
      given.forEach(one -> ranges.add(NetworkRange.of(one.asText())));
    } else {
      ranges.add(NetworkRange.of(given.asText()));
    }
    return ranges;
  }

  private static @Nullable InetAddress address(IngestDocument document, FieldPath path) {
    JsonNode value = document.find(path);
    if (value == null || value.isNull()) {
      return null;
    }
    try {
      return InetAddress.ofLiteral(value.asText());
    } catch (IllegalArgumentException e) {
      throw Refusal.badArgument("'" + value.asText() + "' is not an IP string literal.");
    }
  }
}
