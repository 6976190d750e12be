// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.envoy;

import io.grpc.InsecureServerCredentials;
import io.grpc.ServerCredentials;
import io.grpc.TlsServerCredentials;
import io.grpc.util.AdvancedTlsX509KeyManager;
import io.grpc.util.AdvancedTlsX509TrustManager;
import io.redliner.contract.PeerAllowList;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Builds the server's credentials from the TLS settings. */
final class XdsCredentials {

    private static final int RELOAD_SECONDS = 60;

    private XdsCredentials() {}

    /**
     * Credentials without TLS, or with TLS in both directions. Changed files are read again within a minute.
     *
     * @throws InvalidXdsTlsException when a file cannot be used
     */
    // The reading of the files ends with the timer.
    @SuppressWarnings("MustBeClosedChecker")
    static ServerCredentials of(XdsProperties.Tls tls, ScheduledExecutorService timer) {
        Path certificate = tls.certificate();
        Path key = tls.key();
        Path trusted = tls.trusted();
        if (certificate == null || key == null || trusted == null) {
            return InsecureServerCredentials.create();
        }
        try {
            AdvancedTlsX509KeyManager own = new AdvancedTlsX509KeyManager();
            own.updateIdentityCredentials(certificate.toFile(), key.toFile(), RELOAD_SECONDS,
                    TimeUnit.SECONDS, timer);
            AdvancedTlsX509TrustManager proxies = AdvancedTlsX509TrustManager.newBuilder()
                    .setVerification(AdvancedTlsX509TrustManager.Verification.CERTIFICATE_ONLY_VERIFICATION)
                    .build();
            proxies.updateTrustCredentials(trusted.toFile(), RELOAD_SECONDS, TimeUnit.SECONDS, timer);
            return TlsServerCredentials.newBuilder()
                    .keyManager(own)
                    .trustManager(PeerAllowList.of(proxies, tls.identities()))
                    .clientAuth(TlsServerCredentials.ClientAuth.REQUIRE)
                    .build();
        } catch (IOException | GeneralSecurityException unusable) {
            throw new InvalidXdsTlsException(tls, unusable);
        }
    }
}
