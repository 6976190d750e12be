// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.security;

import io.redliner.controller.plan.Sha256;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.regex.Pattern;
import java.util.zip.CRC32;

/**
 * The text of an API token: {@code rl_}, 256 random bits as 43 characters, and a CRC-32 of all that as 6 characters, base 62. The
 * prefix lets secret scanners find a published token, and the checksum shows without a query that a text is no token.
 */
final class ApiTokenFormat {

    static final String PREFIX = "rl_";

    private static final Pattern FORM = Pattern.compile("rl_[0-9A-Za-z]{49}");

    private static final String DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

    private static final int RANDOM_BITS = 256;

    private static final int RANDOM_LENGTH = 43;

    private static final int CHECK_LENGTH = 6;

    private ApiTokenFormat() {}

    static String random(SecureRandom random) {
        String text = PREFIX + base62(new BigInteger(RANDOM_BITS, random), RANDOM_LENGTH);
        return text + checksum(text);
    }

    /** Returns true when the text has the form of a token and its checksum is right. */
    static boolean wellFormed(String text) {
        int check = text.length() - CHECK_LENGTH;
        return FORM.matcher(text).matches() && checksum(text.substring(0, check)).equals(text.substring(check));
    }

    /**
     * Returns the hash that is stored instead of a token. SHA-256 is right for a token and would be wrong for a password: a slow
     * hash makes guessing expensive, but 256 random bits cannot be guessed at any speed, and each request would pay for the slow
     * hash.
     */
    static String hash(String text) {
        return Sha256.hex(text);
    }

    private static String checksum(String text) {
        CRC32 checksum = new CRC32();
        checksum.update(text.getBytes(StandardCharsets.US_ASCII));
        return base62(BigInteger.valueOf(checksum.getValue()), CHECK_LENGTH);
    }

    private static String base62(BigInteger number, int length) {
        BigInteger base = BigInteger.valueOf(DIGITS.length());
        StringBuilder digits = new StringBuilder();
        BigInteger rest = number;
        for (int i = 0; i < length; i++) {
            BigInteger[] parts = rest.divideAndRemainder(base);
            digits.append(DIGITS.charAt(parts[1].intValue()));
            rest = parts[0];
        }
        return digits.reverse().toString();
    }
}
