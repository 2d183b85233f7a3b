package dev.holdfast.world.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import org.junit.jupiter.api.Test;

final class NobodyTrustedTest {
  @Test
  void refusesEveryChain() throws Exception {
    NobodyTrusted nobody = new NobodyTrusted();
    X509Certificate[] chain = new X509Certificate[0];
    SSLEngine engine = SSLContext.getDefault().createSSLEngine();
    assertThatThrownBy(() -> nobody.checkServerTrusted(chain, "RSA", engine))
        .isInstanceOf(CertificateException.class)
        .hasMessageContaining("not encrypted");
    assertThatThrownBy(() -> nobody.checkClientTrusted(chain, "RSA", engine))
        .isInstanceOf(CertificateException.class);
    assertThatThrownBy(() -> nobody.checkServerTrusted(chain, "RSA"))
        .isInstanceOf(CertificateException.class);
    assertThat(nobody.getAcceptedIssuers()).isEmpty();
  }
}
