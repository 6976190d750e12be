// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.http;

import io.redliner.collector.http.RequestFailedException.RequestFailureReason;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.pem.PemSslStoreBundle;
import org.springframework.boot.ssl.pem.PemSslStoreDetails;

/**
 * The login of the collector, and the certificates that it trusts; the same for all requests of a source.
 *
 * @param username with {@code password} (HTTP basic authentication); empty for none
 * @param bearerTokenFile file with the token; read again for each request, because tokens change
 * @param ca PEM file with the certificate authorities of the servers; null: those of the JVM
 */
public record HttpCredentials(@DefaultValue("") String username, @DefaultValue("") String password,
        @Nullable Path bearerTokenFile, @Nullable Path ca) {

    /** No login, and the certificates of the JVM. */
    public static final HttpCredentials NONE = new HttpCredentials("", "", null, null);

    private static final String WHERE = "credentials.";

    public HttpCredentials {
        if (username.isEmpty() != password.isEmpty()) {
            throw new IllegalArgumentException(WHERE + "username and password go together");
        }
        if (!username.isEmpty() && bearerTokenFile != null) {
            throw new IllegalArgumentException(WHERE + "username and bearer-token-file are two ways: take one out");
        }
        if (username.contains(":")) {
            throw new IllegalArgumentException(WHERE + "username cannot have a colon in it, see RFC 7617");
        }
    }

    /** Returns the value of {@code Authorization}, or empty. */
    Optional<String> authorization() throws RequestFailedException {
        if (!username.isEmpty()) {
            return Optional.of("Basic " + Base64.getEncoder()
                    .encodeToString((username + ":" + password).getBytes(StandardCharsets.UTF_8)));
        }
        Path file = bearerTokenFile;
        if (file == null) {
            return Optional.empty();
        }
        try {
            String token = Files.readString(file).strip();
            if (!token.chars().allMatch(letter -> letter > ' ' && letter < 127) || token.isEmpty()) {
                throw new RequestFailedException(RequestFailureReason.UNREACHABLE,
                        "could not be asked: there is no token in " + file);
            }
            return Optional.of("Bearer " + token);
        } catch (IOException unreadable) {
            throw new RequestFailedException(RequestFailureReason.UNREACHABLE,
                    "could not be asked: the token cannot be read from " + file);
        }
    }

    /**
     * Returns the context that trusts the certificates; empty for the JVM's own.
     *
     * @param setting the prefix of the settings that messages name
     * @throws IllegalArgumentException when there are no certificates in the file
     */
    Optional<SSLContext> trust(String setting) {
        Path file = ca;
        if (file == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(SslBundle.of(new PemSslStoreBundle(null,
                    PemSslStoreDetails.forCertificate(Files.readString(file)))).createSslContext());
        } catch (IOException | IllegalStateException unusable) {
            throw new IllegalArgumentException(
                    setting + "." + WHERE + "ca: " + file + " has no certificates that can be read",
                    unusable);
        }
    }

    /** Leaves the password out. */
    @Override
    public String toString() {
        return "HttpCredentials[username=" + username + ", bearerTokenFile=" + bearerTokenFile + ", ca=" + ca + "]";
    }
}
