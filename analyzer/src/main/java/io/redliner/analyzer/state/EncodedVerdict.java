// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.state;

import io.redliner.contract.v1.Verdict;

/**
 * A verdict to publish.
 *
 * @param verdict byte-equal for the same calls
 */
public record EncodedVerdict(Verdict verdict) {

    /** Returns the key of the Kafka record. */
    public String service() {
        return verdict.getService();
    }

    /** Returns the value of the Kafka record. */
    public byte[] value() {
        return verdict.toByteArray();
    }
}
