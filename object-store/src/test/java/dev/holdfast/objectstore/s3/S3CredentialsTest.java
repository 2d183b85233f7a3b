package dev.holdfast.objectstore.s3;

import static dev.holdfast.objectstore.ObjectStoreContract.body;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.StoreException;
import dev.holdfast.objectstore.StoreFailure;
import dev.holdfast.objectstore.TestServer;
import dev.holdfast.objectstore.open.Stores;
import dev.holdfast.world.real.MovedClock;
import dev.holdfast.world.real.RealWorld;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.core.exception.SdkClientException;

/// Credentials that are renewed where they lie are used without a restart.
final class S3CredentialsTest {
  @TempDir Path folder;

  private final Map<String, String> before = new HashMap<>();

  @AfterEach
  void restoreProperties() {
    before.forEach(System::setProperty);
  }

  /// The places where the SDK looks before it looks into the profile are empty.
  private void useProfile(Path profile) {
    for (String name : List.of("aws.accessKeyId", "aws.secretAccessKey")) {
      String value = System.clearProperty(name);
      if (value != null) {
        before.put(name, value);
      }
    }
    System.setProperty("aws.sharedCredentialsFile", profile.toString());
  }

  @Test
  void aRotatedProfileIsReadAgain() throws Exception {
    // given: a server, and a profile with a secret that it does not take
    TestServer server = TestServer.shared(TestServer.Kind.VERSITYGW);
    String url = server.url("c" + UUID.randomUUID().toString().replace("-", ""));
    assumeTrue(System.getenv("AWS_ACCESS_KEY_ID") == null, "credentials in the environment");
    Path profile = folder.resolve("credentials");
    write(profile, "expired");
    useProfile(profile);
    AtomicLong laterNanos = new AtomicLong();
    try (ObjectStore store =
        Stores.open(url, server.options(), MovedClock.later(laterNanos::get))) {
      for (int i = 0; i < 3; i++) {
        assertThatThrownBy(() -> store.put("a", body("x")))
            .isInstanceOfSatisfying(
                StoreException.Unavailable.class,
                e -> assertThat(e.failure()).isEqualTo(StoreFailure.CREDENTIALS));
      }

      // when: the secret is renewed, and time passes until places are looked at again
      write(profile, "testtest");
      assertThatThrownBy(() -> store.put("a", body("x")))
          .as("not every refused request asks the places")
          .isInstanceOf(StoreException.Unavailable.class);
      laterNanos.addAndGet(S3Credentials.RELOAD_EVERY.toNanos());
      assertThatThrownBy(() -> store.put("a", body("x")))
          .isInstanceOf(StoreException.Unavailable.class);

      // then
      store.put("a", body("x"));
    }
  }

  @Test
  void aPlaceThatCannotBeReadJustNowIsAskedAgain() {
    AwsCredentialsProvider closed =
        () -> {
          throw new IllegalStateException("Connection pool shut down");
        };
    try (S3Credentials credentials = new S3Credentials(() -> closed, RealWorld.create().clock())) {

      assertThatThrownBy(credentials::resolveCredentials)
          .isInstanceOf(SdkClientException.class)
          .satisfies(e -> assertThat(S3Failures.mayBeOfCredentials(e)).isTrue());
    }
  }

  private static void write(Path profile, String secret) throws Exception {
    Files.writeString(
        profile, "[default]\naws_access_key_id = test\naws_secret_access_key = " + secret + "\n");
  }
}
