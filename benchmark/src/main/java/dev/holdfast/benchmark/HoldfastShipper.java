package dev.holdfast.benchmark;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// The shipper of this project.
///
/// @param binary the program
/// @param port of its metrics
/// @param bodyLevel how hard bodies are compressed with gzip; 0 for not at all
/// @param processes whether events go through processors
/// @param more lines of its configuration
record HoldfastShipper(Path binary, int port, int bodyLevel, boolean processes, String more)
    implements ShipperProgram {
  @Override
  public String prefix() {
    return "";
  }

  @Override
  public List<String> configure(Path folder, Path logs, URI url) throws IOException {
    Path file = folder.resolve("shipper.yml");
    var _ = Files.writeString(file, configuration(folder, logs, url));
    return List.of(binary.toString(), "-c", file.toString());
  }

  private String configuration(Path folder, Path logs, URI url) {
    String processors =
        processes
            ? """
            processors:
              - add_host_metadata: ~
              - add_fields: {target: app, fields: {name: web}}
              - dissect: {tokenizer: '%{ip} - - [%{time}] "%{method} %{path} %{rest}', target_prefix: http}
              - add_tags: {tags: [web]}
            """
            : "";
    return """
    filebeat.inputs:
    - {type: filestream, id: benchmark, paths: ['%s/*']}
    path.data: %s/data
    http: {enabled: true, host: 127.0.0.1, port: %d}
    logging.level: warning
    output.elasticsearch: {hosts: ['%s'], index: shipper-benchmark, compression_level: %d}
    %s%s\
    """
        .formatted(logs, folder, port, url, bodyLevel, more, processors);
  }

  @Override
  public URI metrics() {
    return URI.create("http://127.0.0.1:" + port + "/metrics");
  }

  @Override
  public String acknowledged() {
    return "holdfast_shipper_output_events_acked_total ";
  }
}
