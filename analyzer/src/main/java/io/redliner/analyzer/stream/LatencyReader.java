// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.stream;

import com.google.protobuf.ByteString;
import io.redliner.sla.Latencies;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * From an observation's latency bytes to latencies. HdrHistogram's own decoder believes the header: forty bytes can
 * make it take gigabytes, or give counts that only fail when they are added up; and it makes tens of KiB of a hundred
 * requests. So what the header says is checked, and only buckets that hold something are made.
 *
 * <p>The encoding is HdrHistogram's V2 compressed one: cookie and length, then deflated: cookie, payload length, index
 * offset, significant digits, lowest and highest value, conversion ratio; and counts in ZigZag LEB128, of which negative
 * ones are as many empty buckets.
 */
final class LatencyReader {

    private static final int COMPRESSED_COOKIE = 0x1c849304;

    private static final int COOKIE = 0x1c849303;

    /** The low bits of the second half byte tell a word size, which version 2 does not use. */
    private static final int COOKIE_BASE = ~0xf0;

    private static final int HEADER_BYTES = 40;

    /** What the collector makes of a day at three significant digits is a hundredth of it. */
    private static final int MOST_BYTES = 1 << 20;

    /** Four significant digits of a day, or 4 MiB. The collector's histograms have up to 28 000 buckets. */
    private static final int MOST_BUCKETS = 1 << 19;

    /** As in HdrHistogram; so that no bucket ends beyond the largest number. */
    private static final int MOST_BITS = 61;

    private LatencyReader() {}

    /**
     * Reads a histogram.
     *
     * @param encoded empty for one without requests
     * @param completed there cannot be more latencies than requests that ended
     * @throws DataFormatException when it is none, or an absurd one
     */
    static Latencies read(ByteString encoded, long completed) throws DataFormatException {
        if (encoded.isEmpty()) {
            return Latencies.NONE;
        }
        var compressed = encoded.asReadOnlyByteBuffer();
        if (compressed.remaining() <= 8 || (compressed.getInt() & COOKIE_BASE) != COMPRESSED_COOKIE
                || compressed.getInt() != compressed.remaining()) {
            throw new DataFormatException("latency is not a whole histogram in HdrHistogram's V2 compressed encoding");
        }
        return counted(inflated(compressed), completed);
    }

    private static ByteBuffer inflated(ByteBuffer compressed) throws DataFormatException {
        var inflater = new Inflater();
        try {
            inflater.setInput(compressed);
            byte[] bytes = new byte[1 << 12];
            int length = 0;
            while (!inflater.finished()) {
                if (length == bytes.length) {
                    bytes = larger(bytes);
                }
                int more = inflater.inflate(bytes, length, bytes.length - length);
                length += more;
                if (more == 0 && length < bytes.length) {
                    throw new DataFormatException("latency ends too soon");
                }
            }
            return ByteBuffer.wrap(bytes, 0, length).slice();
        } finally {
            inflater.end();
        }
    }

    private static byte[] larger(byte[] bytes) throws DataFormatException {
        if (bytes.length >= MOST_BYTES) {
            throw new DataFormatException("latency inflates to more than " + MOST_BYTES + " bytes");
        }
        return Arrays.copyOf(bytes, 2 * bytes.length);
    }

    private static Latencies counted(ByteBuffer plain, long completed) throws DataFormatException {
        if (plain.remaining() < HEADER_BYTES || (plain.getInt() & COOKIE_BASE) != COOKIE) {
            throw new DataFormatException("latency is not in HdrHistogram's V2 encoding");
        }
        int payload = plain.getInt();
        int offset = plain.getInt();
        int digits = plain.getInt();
        long lowest = plain.getLong();
        long highest = plain.getLong();
        double ratio = plain.getDouble();
        if (payload != plain.remaining() || offset != 0 || ratio != 1) {
            throw new DataFormatException("latency has a payload of " + payload + " bytes where " + plain.remaining()
                    + " are, an offset of " + offset + ", or a conversion ratio of " + ratio);
        }
        return counts(plain, Buckets.of(digits, lowest, highest), completed);
    }

    private static Latencies counts(ByteBuffer payload, Buckets buckets, long completed) throws DataFormatException {
        var latencies = new Latencies.Builder();
        long index = 0;
        long sum = 0;
        while (payload.hasRemaining()) {
            long count = number(payload);
            if (count < 0) {
                index -= Math.max(count, -MOST_BUCKETS);
            } else if (count > completed - sum) {
                throw new DataFormatException("latency has more requests than the " + completed + " that ended");
            } else {
                if (index >= buckets.number) {
                    throw new DataFormatException("latency has more than its " + buckets.number + " buckets");
                }
                latencies.add(buckets.lowestIn((int) index), count);
                sum += count;
                index++;
            }
        }
        return latencies.build();
    }

    /**
     * HdrHistogram's buckets: those of the first two halves are as wide as the lowest value, rounded down to a power of
     * two, and those of each further half are twice as wide as those of the half before.
     *
     * @param unitBits of that width
     * @param halfBits of the buckets in a half
     * @param number of all buckets
     */
    private record Buckets(int unitBits, int halfBits, long number) {

        static Buckets of(int digits, long lowest, long highest) throws DataFormatException {
            if (digits < 0 || digits > 5 || lowest < 1 || highest / 2 < lowest) {
                throw new DataFormatException("latency has " + digits + " significant digits and ranges from " + lowest
                        + " to " + highest);
            }
            int unitBits = floorOfLogarithm(lowest);
            int halfBits = floorOfLogarithm(2 * (long) Math.pow(10, digits) - 1);
            if (unitBits + halfBits > MOST_BITS) {
                throw new DataFormatException("latency ranges from " + lowest + " to more than can be");
            }
            int doublings = Math.max(0, floorOfLogarithm(highest) - unitBits - halfBits);
            long number = (doublings + 2L) << halfBits;
            if (number > MOST_BUCKETS) {
                throw new DataFormatException("latency has " + number + " buckets, more than the " + MOST_BUCKETS
                        + " allowed");
            }
            return new Buckets(unitBits, halfBits, number);
        }

        long lowestIn(int index) {
            int half = index >> halfBits;
            long within = index & ((1L << halfBits) - 1);
            return half == 0 ? within << unitBits : (within + (1L << halfBits)) << (half - 1 + unitBits);
        }

        private static int floorOfLogarithm(long value) {
            return Long.SIZE - 1 - Long.numberOfLeadingZeros(value);
        }
    }

    /** ZigZag LEB128 of 64 bits in at most nine bytes, of which the ninth has eight bits. */
    private static long number(ByteBuffer payload) throws DataFormatException {
        long bits = 0;
        for (int shift = 0;; shift += 7) {
            if (!payload.hasRemaining()) {
                throw new DataFormatException("latency ends within a number");
            }
            long next = payload.get() & 0xff;
            if (shift == 56) {
                return unzigzag(bits | next << shift);
            }
            bits |= (next & 0x7f) << shift;
            if (next < 0x80) {
                return unzigzag(bits);
            }
        }
    }

    private static long unzigzag(long bits) {
        return bits >>> 1 ^ -(bits & 1);
    }
}
