package dev.holdfast.objectstore;

import com.azure.core.http.jdk.httpclient.JdkHttpClientBuilder;
import com.azure.storage.blob.BlobServiceClientBuilder;
import com.google.cloud.NoCredentials;
import com.google.cloud.storage.BucketInfo;
import com.google.cloud.storage.Storage;
import com.google.cloud.storage.StorageOptions;
import java.net.URI;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;

/// Makes the buckets that tests use: stores never do.
final class TestBuckets {
  private TestBuckets() {}

  static String create(TestServer server, TestServer.Kind kind, String bucket) throws Exception {
    switch (kind) {
      case VERSITYGW -> {
        TestServer.useCredentials();
        try (S3Client client =
            S3Client.builder()
                .endpointOverride(URI.create(server.endpoint()))
                .region(Region.US_EAST_1)
                .forcePathStyle(true)
                .build()) {
          client.createBucket(r -> r.bucket(bucket));
        }
        return "s3://" + bucket;
      }
      case AZURITE -> {
        new BlobServiceClientBuilder()
            .httpClient(new JdkHttpClientBuilder().build())
            .connectionString(azureConnection(server.endpoint()))
            .buildClient()
            .createBlobContainer(bucket);
        return "az://" + bucket;
      }
      case FAKE_GCS -> {
        Storage client =
            StorageOptions.http()
                .setHost(server.endpoint())
                .setProjectId("emulator")
                .setCredentials(NoCredentials.getInstance())
                .build()
                .getService();
        client.create(BucketInfo.of(bucket));
        client.close();
        return "gs://" + bucket;
      }
    }
    throw new IllegalArgumentException(bucket);
  }

  /// The account that every such emulator has, with its well-known key.
  static String azureConnection(String endpoint) {
    return "DefaultEndpointsProtocol=http;AccountName=devstoreaccount1;AccountKey="
        + "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=="
        + ";BlobEndpoint="
        + endpoint
        + "/devstoreaccount1;";
  }
}
