// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.security;

import io.redliner.contract.text.NotUtf8Exception;
import io.redliner.contract.text.Utf8;
import io.redliner.controller.plan.Sha256;
import io.redliner.controller.service.problem.ProblemException;
import io.redliner.controller.service.problem.ProblemType;
import java.io.IOException;
import java.io.InputStream;

/** Reads a request's body as UTF-8, whatever its content type, up to a maximum length. */
public final class RequestBodyReader {

    /** The longest body, in bytes. */
    static final int MAX_LENGTH = 512 * 1024;

    private RequestBodyReader() {}

    /**
     * Returns the body as text.
     *
     * @throws ProblemException when it is too long, too late or no UTF-8
     */
    public static String read(InputStream input) {
        return read(input, MAX_LENGTH);
    }

    /**
     * Reads a body with another maximum length.
     *
     * @param maxLength in bytes
     * @throws ProblemException when it is too long, too late or no UTF-8
     */
    public static String read(InputStream input, int maxLength) {
        try {
            return Utf8.decode(bytes(input, maxLength));
        } catch (NotUtf8Exception malformed) {
            throw new ProblemException(ProblemType.REQUEST_REFUSED, "the body " + malformed.getMessage());
        }
    }

    /**
     * Returns the bytes of the body.
     *
     * @throws ProblemException when it is too long or too late
     */
    public static byte[] bytes(InputStream input) {
        return bytes(input, MAX_LENGTH);
    }

    private static byte[] bytes(InputStream input, int maxLength) {
        try {
            byte[] bytes = input.readNBytes(maxLength + 1);
            if (bytes.length > maxLength) {
                throw new ProblemException(ProblemType.BODY_TOO_LARGE,
                        "the body is longer than " + maxLength / 1024 + " KiB");
            }
            return bytes;
        } catch (BodyTimeoutException timeout) {
            throw new ProblemException(ProblemType.BODY_TIMEOUT, String.valueOf(timeout.getMessage()));
        } catch (IOException broken) {
            throw new ProblemException(ProblemType.REQUEST_REFUSED, "the body could not be read");
        }
    }

    public static String hash(String body) {
        return Sha256.hex(body);
    }
}
