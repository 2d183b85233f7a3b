package dev.holdfast.api.info;

import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.identity.NodeIdentity;
import java.time.Instant;

/// `GET /_license`: the basic licence, active, that clients of the whole API look for.
public final class LicenseApi implements Api {
  private final String clusterName;
  private final NodeIdentity self;
  private final Metadata metadata;

  public LicenseApi(String clusterName, NodeIdentity self, Metadata metadata) {
    this.clusterName = clusterName;
    this.self = self;
    this.metadata = metadata;
  }

  @Override
  public Answer handle(ApiRequest request) {
    long issued = self.startMillis();
    return Answer.of(out -> {
      out.writeStartObject();
      out.writeObjectFieldStart("license");
      out.writeStringField("status", "active");
      out.writeStringField("uid", metadata.current().clusterUuid());
      out.writeStringField("type", "basic");
      out.writeStringField("issue_date", Instant.ofEpochMilli(issued).toString());
      out.writeNumberField("issue_date_in_millis", issued);
      out.writeNumberField("max_nodes", 1000);
      out.writeNullField("max_resource_units");
      out.writeStringField("issued_to", clusterName);
      out.writeStringField("issuer", "holdfast");
      out.writeNumberField("start_date_in_millis", -1);
      out.writeEndObject();
      out.writeEndObject();
    });
  }
}
