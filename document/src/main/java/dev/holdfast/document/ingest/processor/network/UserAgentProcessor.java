package dev.holdfast.document.ingest.processor.network;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.document.ingest.IngestDocument;
import dev.holdfast.document.ingest.PipelineParser;
import dev.holdfast.document.ingest.Processor;
import dev.holdfast.document.ingest.ProcessorConfig;
import dev.holdfast.document.ingest.SourceField;
import dev.holdfast.world.Json;
import java.util.List;
import java.util.Locale;

/// `user_agent`: the program, system and device that a client says it is.
///
/// @param properties which of them are written
public record UserAgentProcessor(SourceField field, List<String> properties) implements Processor {
  private static final List<String> KNOWN = List.of("name", "os", "device", "original", "version");

  /// What follows says nothing of the client any more.
  private static final int LENGTH_MAX = 2048;

  private static final String OTHER = "Other";

  public static Processor of(ProcessorConfig config, PipelineParser parsing) {
    SourceField field = SourceField.of(config, "user_agent");
    if (config.string("regex_file") != null) {
      throw config.wrong("regex_file", "is not supported: there are no files of a node's own");
    }
    if (config.flag("extract_device_type", false)) {
      throw config.wrong("extract_device_type", "is not supported");
    }
    List<String> properties =
        config.take("properties") != null
            ? config.list("properties").stream().map(one -> one.toLowerCase(Locale.ROOT)).toList()
            : KNOWN;
    for (String property : properties) {
      if (!KNOWN.contains(property)) {
        throw config.wrong(
            "properties",
            "illegal property value ["
                + property
                + "]. valid values are [NAME, OS, DEVICE, ORIGINAL, VERSION]");
      }
    }
    return new UserAgentProcessor(field, properties);
  }

  @Override
  public void apply(IngestDocument document) {
    String text = field.text(document, "cannot parse user-agent.");
    if (text != null) {
      field.write(document, told(text));
    }
  }

  private ObjectNode told(String original) {
    String text = original.length() > LENGTH_MAX ? original.substring(0, LENGTH_MAX) : original;
    ObjectNode told = Json.object();
    if (properties.contains("name") || properties.contains("version")) {
      ClientPatterns.Found program = ClientPatterns.Lists.PROGRAMS.find(text);
      if (properties.contains("name")) {
        told.put("name", program == null ? OTHER : program.name());
      }
      if (properties.contains("version") && program != null && program.version() != null) {
        told.put("version", program.version());
      }
    }
    if (properties.contains("original")) {
      told.put("original", original);
    }
    ClientPatterns.Found system =
        properties.contains("os") ? ClientPatterns.Lists.SYSTEMS.find(text) : null;
    if (system != null) {
      ObjectNode os = told.putObject("os").put("name", system.name());
      if (system.version() != null) {
        os.put("version", system.version());
        os.put("full", system.name() + " " + system.version());
      }
    }
    if (properties.contains("device")) {
      ClientPatterns.Found device = ClientPatterns.Lists.DEVICES.find(text);
      told.putObject("device").put("name", device == null ? OTHER : device.name());
    }
    return told;
  }
}
