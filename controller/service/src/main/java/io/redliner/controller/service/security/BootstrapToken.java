// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.security;

import io.redliner.contract.text.NotUtf8Exception;
import io.redliner.contract.text.Utf8;
import io.redliner.controller.core.security.Caller;
import io.redliner.controller.core.security.Role;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The token that an installation begins with: an admin that the settings know, and no table does. It works as long as it
 * is set, without the database too.
 */
final class BootstrapToken {

    private static final int MIN_LENGTH = 32;

    private static final int MAX_FILE = 4096;

    static final Caller CALLER = new Caller("bootstrap", Caller.Kind.BOOTSTRAP, Role.ADMIN, Set.of());

    private final byte @Nullable [] hash;

    private BootstrapToken(byte @Nullable [] hash) {
        this.hash = hash;
    }

    /**
     * Returns the token in a setting or in a file, or none.
     *
     * @throws AccessNotConfiguredException when the file cannot be read, or the token is too short to be one
     */
    static BootstrapToken of(@Nullable SecretText setting, @Nullable Path file) {
        String text = file != null ? read(file) : setting != null ? setting.text().strip() : "";
        if (text.isEmpty() && file == null) {
            return new BootstrapToken(null);
        }
        if (text.length() < MIN_LENGTH || text.chars().anyMatch(letter -> letter <= ' ' || letter > '~')) {
            throw new AccessNotConfiguredException("The bootstrap token is no token",
                    "Use at least " + MIN_LENGTH + " printable ASCII characters, for example the output of"
                            + " 'openssl rand -hex 32'.");
        }
        return new BootstrapToken(bytes(text));
    }

    private static String read(Path file) {
        try {
            if (Files.size(file) > MAX_FILE) {
                throw new IOException("it is longer than " + MAX_FILE + " bytes");
            }
            return Utf8.decodeFile(Files.readAllBytes(file)).strip();
        } catch (NotUtf8Exception otherEncoding) {
            throw unreadable("the file " + otherEncoding.getMessage());
        } catch (IOException unreadable) {
            throw unreadable(unreadable.toString());
        }
    }

    private static AccessNotConfiguredException unreadable(String reason) {
        return new AccessNotConfiguredException("The bootstrap token cannot be read: " + reason,
                "Put a token into the file that redliner.controller.access.bootstrap-token-file names.");
    }

    private static byte[] bytes(String text) {
        return ApiTokenFormat.hash(text).getBytes(StandardCharsets.US_ASCII);
    }

    boolean isSet() {
        return hash != null;
    }

    /** Returns the installation's admin, when it is the token. */
    @Nullable
    Caller caller(String text) {
        return hash != null && MessageDigest.isEqual(hash, bytes(text)) ? CALLER : null;
    }
}
