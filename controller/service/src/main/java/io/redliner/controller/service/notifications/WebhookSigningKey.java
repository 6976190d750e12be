// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.notifications;

import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Signs messages as Standard Webhooks 1.0 says (standardwebhooks.com): HMAC-SHA256 over {@code id.timestamp.body}.
 */
final class WebhookSigningKey {

    private static final String PREFIX = "whsec_";

    private static final int MIN_LENGTH = 16;

    private final byte[] key;

    private WebhookSigningKey(byte[] key) {
        this.key = key;
    }

    /**
     * Creates the key from a secret. The text after the prefix {@code whsec_} is base64; without the prefix, the secret's UTF-8
     * bytes are the key.
     *
     * @throws IllegalArgumentException when the key has fewer than 16 bytes or is not base64; the message does not contain the
     *            secret
     */
    static WebhookSigningKey of(String secret) {
        byte[] key;
        try {
            key = secret.startsWith(PREFIX)
                    ? Base64.getDecoder().decode(secret.substring(PREFIX.length()))
                    : secret.getBytes(StandardCharsets.UTF_8);
        } catch (IllegalArgumentException malformed) {
            throw new IllegalArgumentException("a secret that begins with whsec_ goes on in base64");
        }
        if (key.length < MIN_LENGTH) {
            throw new IllegalArgumentException("a secret has at least " + MIN_LENGTH + " bytes");
        }
        return new WebhookSigningKey(key);
    }

    /** Returns the value of the header {@code webhook-signature}; {@code timestamp} is in seconds since 1970. */
    String sign(String id, long timestamp, byte[] body) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            mac.update((id + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8));
            return "v1," + Base64.getEncoder().encodeToString(mac.doFinal(body));
        } catch (NoSuchAlgorithmException | InvalidKeyException impossible) {
            throw new IllegalStateException("every Java platform has HmacSHA256", impossible);
        }
    }

    @Override
    public String toString() {
        return "SigningKey[hidden]";
    }
}
