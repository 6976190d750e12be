// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.windowing;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The HTTP and gRPC statuses that count as failures of the instance.
 *
 * @param http ranges of statuses, both ends included, 100 to 599
 * @param grpc statuses, 1 to 16
 */
public record ErrorStatuses(List<Range> http, Set<Integer> grpc) {

    /**
     * 429 and 5xx; for gRPC the server failures of OpenTelemetry's semantic conventions, and RESOURCE_EXHAUSTED. A server that
     * sheds load has reached its capacity, so 429 and RESOURCE_EXHAUSTED count.
     */
    public static final ErrorStatuses DEFAULT = new ErrorStatuses(List.of(new Range(429, 429), new Range(500, 599)),
            Set.of(2, 4, 8, 12, 13, 14, 15));

    private static final int DEADLINE_EXCEEDED = 4;

    public ErrorStatuses {
        http = List.copyOf(http);
        grpc = Set.copyOf(grpc);
        if (grpc.stream().anyMatch(status -> status < 1 || status > 16)) {
            throw new IllegalArgumentException("gRPC statuses of errors are 1 to 16; not " + grpc);
        }
    }

    /**
     * Returns the class of the failure; null when the answer is no failure.
     *
     * @param httpStatus 0 without an answer
     * @param grpcStatus below 0 when it is no gRPC call
     */
    @Nullable
    RequestError classify(int httpStatus, int grpcStatus) {
        for (int index = 0; index < http.size(); index++) {
            if (http.get(index).contains(httpStatus)) {
                return RequestError.SERVER;
            }
        }
        if (grpcStatus <= 0 || !grpc.contains(grpcStatus)) {
            return null;
        }
        return grpcStatus == DEADLINE_EXCEEDED ? RequestError.TIMEOUT : RequestError.SERVER;
    }

    /** Statuses from the first to the last, both included. */
    public record Range(int first, int last) {

        public Range {
            if (first < 100 || last > 599 || first > last) {
                throw new IllegalArgumentException(
                        "HTTP statuses of errors are 100 to 599, the first not above the last; not " + first + " to "
                                + last);
            }
        }

        boolean contains(int status) {
            return status >= first && status <= last;
        }
    }
}
