// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.scrape;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.http.HttpHeaders;
import java.time.Instant;
import java.util.zip.GZIPInputStream;

/** Reads what an instance answered. */
final class Answer {

    private Answer() {}

    /**
     * Reads it.
     *
     * @param maxBytes after decompression
     * @param maxSeries what is beyond them is left out
     * @param now for samples without a time of their own
     */
    static ScrapeResult read(HttpHeaders headers, byte[] body, int maxBytes, int maxSeries, Instant now)
            throws ScrapeFailedException {
        ExpositionFormat format = ExpositionFormat.of(headers);
        String encoding = headers.firstValue("content-encoding").orElse("identity");
        byte[] plain = switch (encoding) {
            case "identity", "" -> body;
            case "gzip", "x-gzip" -> unzip(body, maxBytes);
            default -> throw new ScrapeFailedException(ScrapeFailureReason.CONTENT,
                    "answers in an encoding that was not asked for; gzip was");
        };
        ScrapeResult harvest = new ScrapeResult(maxSeries);
        switch (format) {
            case PROTOBUF -> ProtobufExpositionParser.read(plain, now, harvest);
            case OPEN_METRICS -> TextExpositionParser.read(plain, true, now, harvest);
            case TEXT -> TextExpositionParser.read(plain, false, now, harvest);
        }
        return harvest;
    }

    private static byte[] unzip(byte[] body, int maxBytes) throws ScrapeFailedException {
        byte[] plain;
        try (GZIPInputStream input = new GZIPInputStream(new ByteArrayInputStream(body))) {
            plain = input.readNBytes(maxBytes + 1);
        } catch (IOException e) {
            throw ScrapeFailedException.malformed("its answer is no gzip, or was cut off: " + e.getMessage());
        }
        if (plain.length > maxBytes) {
            throw new ScrapeFailedException(ScrapeFailureReason.TOO_LARGE, "its answer is larger than " + maxBytes
                    + " bytes when it is decompressed; see redliner.collector.scrape.max-bytes");
        }
        return plain;
    }
}
