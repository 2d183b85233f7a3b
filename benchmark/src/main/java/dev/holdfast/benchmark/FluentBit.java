package dev.holdfast.benchmark;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Fluent Bit, which somebody has installed: its `tail` input with a database of offsets, and its
/// `es` output.
///
/// @param binary the program
/// @param port of its metrics
/// @param compressesBodies whether bodies are compressed with gzip, of which it has one level
/// @param buffer of each file, such as `512k`; its own default is 32k
record FluentBit(Path binary, int port, boolean compressesBodies, String buffer)
    implements ShipperProgram {
  @Override
  public String prefix() {
    return "fluent-bit-";
  }

  @Override
  public List<String> configure(Path folder, Path logs, URI url) throws IOException {
    Path file = folder.resolve("fluent-bit.conf");
    var _ = Files.writeString(file, configuration(folder, logs, url));
    return List.of(binary.toString(), "-c", file.toString());
  }

  private String configuration(Path folder, Path logs, URI url) {
    return """
    [SERVICE]
        Flush        1
        Log_Level    warn
        HTTP_Server  On
        HTTP_Listen  127.0.0.1
        HTTP_Port    %d
    [INPUT]
        Name              tail
        Path              %s/*
        DB                %s/fluent-bit.db
        Read_from_Head    On
        Buffer_Chunk_Size %s
        Buffer_Max_Size   %s
    [OUTPUT]
        Name               es
        Match              *
        Host               %s
        Port               %d
        Index              shipper-benchmark
        Suppress_Type_Name On
        Buffer_Size        False
        Retry_Limit        no_limits
    %s\
    """
        .formatted(
            port,
            logs,
            folder,
            buffer,
            buffer,
            url.getHost(),
            url.getPort(),
            compressesBodies ? "    Compress           gzip\n" : "");
  }

  @Override
  public URI metrics() {
    return URI.create("http://127.0.0.1:" + port + "/api/v1/metrics/prometheus");
  }

  @Override
  public String acknowledged() {
    return "fluentbit_output_proc_records_total{name=\"es.0\"} ";
  }
}
