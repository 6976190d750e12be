// SPDX-License-Identifier: Apache-2.0
package io.redliner.contract.sender;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * Shows that the process that wrote the earlier statuses of a service wrote this one, too: a link of a hash chain. See the
 * message of the same name.
 *
 * @param number grows by one with each status of the service, from 0
 * @param link of this number
 * @param nextRoot the hash of the next chain's first link
 */
public record SenderProof(long number, String link, String nextRoot) {

    /** Links of a chain. */
    static final int CHAIN_LENGTH = 1024;

    private static final int LINK_BYTES = 16;

    private static final int LINK_LENGTH = 2 * LINK_BYTES;

    /** Reads the one of a status; absent when the status has none. */
    public static @Nullable SenderProof read(io.redliner.contract.v1.LeaseStatus status) {
        io.redliner.contract.v1.SenderProof proof = status.getSenderProof();
        return status.hasSenderProof()
                ? new SenderProof(proof.getNumber(), proof.getLink(), proof.getNextRoot())
                : null;
    }

    /** Writes it as the contract's message. */
    public io.redliner.contract.v1.SenderProof write() {
        return io.redliner.contract.v1.SenderProof.newBuilder().setNumber(number).setLink(link).setNextRoot(nextRoot)
                .build();
    }

    /**
     * Returns whether the sender of this earlier proof made it.
     *
     * @param maxSteps how many numbers may be between them
     */
    boolean follows(SenderProof earlier, long maxSteps) {
        if (earlier.number < 0 || number <= earlier.number || number - earlier.number > maxSteps
                || link.length() != LINK_LENGTH) {
            return false;
        }
        long chains = number / CHAIN_LENGTH - earlier.number / CHAIN_LENGTH;
        return switch ((int) Math.min(2, chains)) {
            case 0 -> hash(link, (int) (number - earlier.number)).equals(earlier.link);
            case 1 -> hash(link, (int) (number % CHAIN_LENGTH) + 1).equals(earlier.nextRoot);
            default -> false;
        };
    }

    /** Hashes the link repeatedly. */
    static String hash(String link, int times) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            String hashed = link;
            for (int time = 0; time < times; time++) {
                hashed = HexFormat.of().formatHex(digest.digest(hashed.getBytes(StandardCharsets.UTF_8)), 0,
                        LINK_BYTES);
            }
            return hashed;
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Makes a link from nothing but chance. */
    static String random(SecureRandom random) {
        byte[] bytes = new byte[LINK_BYTES];
        random.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }
}
