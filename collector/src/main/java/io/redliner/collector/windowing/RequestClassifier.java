// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.windowing;

import java.util.List;

/**
 * The settings by which the requests of a service are classified.
 *
 * @param errors the statuses of failed requests
 * @param streams prefixes of the paths whose requests are long streams, each beginning with a slash
 * @param ownLimits limits that RedLiner chose: a request that one of them ends is no error of the service
 */
public record RequestClassifier(ErrorStatuses errors, List<String> streams, OwnLimits ownLimits) {

    /** The usual errors; a stream is recognised by its headers alone. */
    public static final RequestClassifier DEFAULT = new RequestClassifier(ErrorStatuses.DEFAULT, List.of());

    /** Creates the classifier of a service whose owner chose all its limits. */
    public RequestClassifier(ErrorStatuses errors, List<String> streams) {
        this(errors, streams, OwnLimits.NONE);
    }

    public RequestClassifier {
        streams = List.copyOf(streams);
        streams.stream().filter(prefix -> !prefix.startsWith("/")).findFirst().ifPresent(prefix -> {
            throw new IllegalArgumentException("the path of streams begins with a slash; not '" + prefix + "'");
        });
    }

    /** Fills in the error of a record that has none yet, and whether the request is a long stream. */
    void classify(RequestRecord record) {
        if (record.error() == null) {
            record.failed(errors.classify(record.status(), record.grpcStatus()));
        }
        if (!ownLimits.ended(record)) {
            record.limited(null);
        }
        // By index: an iterator for each record would be garbage.
        for (int index = 0; index < streams.size(); index++) {
            if (record.path().startsWith(streams.get(index))) {
                record.stream(true);
            }
        }
    }
}
