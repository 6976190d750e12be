// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.routing;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The statuses of answers that count as errors of an instance.
 *
 * @param http ranges of statuses
 * @param grpc statuses, 1 to 16
 */
public record Errors(List<Range> http, List<Integer> grpc) {

    /**
     * 429 and 5xx; for gRPC the server failures of OpenTelemetry's semantic conventions, and RESOURCE_EXHAUSTED, because a server
     * that sheds load is at its limit.
     */
    public static final Errors DEFAULT = new Errors(List.of(new Range(429, 429), new Range(500, 599)),
            List.of(2, 4, 8, 12, 13, 14, 15));

    private static final List<String> GRPC = List.of("OK", "CANCELLED", "UNKNOWN", "INVALID_ARGUMENT",
            "DEADLINE_EXCEEDED", "NOT_FOUND", "ALREADY_EXISTS", "PERMISSION_DENIED", "RESOURCE_EXHAUSTED",
            "FAILED_PRECONDITION", "ABORTED", "OUT_OF_RANGE", "UNIMPLEMENTED", "INTERNAL", "UNAVAILABLE", "DATA_LOSS",
            "UNAUTHENTICATED");

    public Errors {
        http = List.copyOf(http);
        grpc = List.copyOf(grpc);
    }

    /**
     * Reads a gRPC status, a number or a name.
     *
     * @throws IllegalArgumentException when it is not a status, or is OK
     */
    public static int parseGrpc(String text) {
        int status = IntStream.range(1, GRPC.size())
                .filter(code -> text.equals(GRPC.get(code)) || text.equals(Integer.toString(code))).findFirst()
                .orElse(0);
        if (status == 0) {
            throw new IllegalArgumentException("'" + text + "' is not a gRPC status of an error: 1 to 16, or one of "
                    + GRPC.stream().skip(1).collect(Collectors.joining(", ")));
        }
        return status;
    }

    /**
     * Statuses from the first to the last, both included.
     *
     * @param first 100 to 599
     * @param last from the first to 599
     */
    public record Range(int first, int last) {

        public Range {
            if (first < 100 || last > 599 || first > last) {
                throw new IllegalArgumentException("HTTP statuses are 100 to 599, the lower one first; not " + first
                        + (first == last ? "" : "-" + last));
            }
        }

        /**
         * Reads a status, or a range of them.
         *
         * @throws IllegalArgumentException when it is neither
         */
        public static Range parse(String text) {
            List<Integer> ends = Stream.of(text.split("-", 2)).map(String::strip)
                    .map(end -> end.matches("[0-9]{3}") ? Integer.parseInt(end) : 0).toList();
            if (ends.contains(0)) {
                throw new IllegalArgumentException(
                        "'" + text + "' is not an HTTP status such as 429, nor a range of them such as 500-599");
            }
            return new Range(ends.getFirst(), ends.getLast());
        }
    }
}
