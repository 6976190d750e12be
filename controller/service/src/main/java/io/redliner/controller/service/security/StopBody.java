// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.security;

import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.Optional;

/** The body of a request that stops runs, which is waited for only so long that no client can hold up the stops of others. */
@FunctionalInterface
public interface StopBody {

    /** The attribute of a request that has it. */
    String ATTRIBUTE = StopBody.class.getName();

    /**
     * Reads it.
     *
     * @param maxLength in bytes; one byte more is returned of a body that is longer
     * @return empty when it has not arrived as a whole in time
     * @throws IOException when it is malformed
     */
    Optional<byte[]> read(int maxLength) throws IOException;

    /** Returns the body of a request; empty when the request stops nothing. */
    static Optional<StopBody> of(HttpServletRequest request) {
        return request.getAttribute(ATTRIBUTE) instanceof StopBody body ? Optional.of(body) : Optional.empty();
    }
}
