// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.source;

import io.grpc.InsecureServerCredentials;
import io.grpc.ServerCredentials;
import io.grpc.TlsServerCredentials;
import io.grpc.util.AdvancedTlsX509KeyManager;
import io.grpc.util.AdvancedTlsX509TrustManager;
import io.redliner.contract.PeerAllowList;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** The collector's certificate for a port, and the senders that the port accepts. Reads changed files until it is closed. */
public final class ListenerCredentials implements AutoCloseable {

    private static final int RELOAD_SECONDS = 60;

    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("redliner-collector-certificates-", 0).daemon().factory());

    private final ServerCredentials credentials;

    /**
     * Reads the files.
     *
     * @param setting the name of the setting, for messages
     * @throws InvalidListenerTlsException when a file cannot be used
     */
    public ListenerCredentials(String setting, ListenerTls tls) {
        try {
            credentials = credentials(tls);
        } catch (IOException | GeneralSecurityException unusable) {
            close();
            throw new InvalidListenerTlsException(setting, tls, unusable);
        }
    }

    // Looking at the files ends with the timer.
    @SuppressWarnings("MustBeClosedChecker")
    private ServerCredentials credentials(ListenerTls tls) throws IOException, GeneralSecurityException {
        Path certificate = tls.certificate();
        Path key = tls.key();
        if (certificate == null || key == null) {
            return InsecureServerCredentials.create();
        }
        AdvancedTlsX509KeyManager own = new AdvancedTlsX509KeyManager();
        own.updateIdentityCredentials(certificate.toFile(), key.toFile(), RELOAD_SECONDS, TimeUnit.SECONDS, timer);
        TlsServerCredentials.Builder builder = TlsServerCredentials.newBuilder().keyManager(own);
        Path trusted = tls.trusted();
        if (trusted != null) {
            AdvancedTlsX509TrustManager senders = AdvancedTlsX509TrustManager.newBuilder()
                    .setVerification(AdvancedTlsX509TrustManager.Verification.CERTIFICATE_ONLY_VERIFICATION).build();
            senders.updateTrustCredentials(trusted.toFile(), RELOAD_SECONDS, TimeUnit.SECONDS, timer);
            builder.trustManager(PeerAllowList.of(senders, tls.identities()))
                    .clientAuth(TlsServerCredentials.ClientAuth.REQUIRE);
        }
        return builder.build();
    }

    /** Returns the credentials for a gRPC server. */
    public ServerCredentials credentials() {
        return credentials;
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }

    /** The certificate or the key of a port of the collector cannot be used. */
    public static final class InvalidListenerTlsException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        InvalidListenerTlsException(String setting, ListenerTls tls, Throwable cause) {
            super("Cannot use " + setting + ": certificate " + tls.certificate() + ", key " + tls.key() + ", trusted "
                    + tls.trusted() + ": " + cause + "; all are PEM files, the key in PKCS#8", cause);
        }
    }
}
