//! Prints which part of each frame of a clip people cover, 0 to 1: `cargo run -- clip.mp4`.

use gst::prelude::*;
use gstreamer as gst;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    gst::init()?;
    let clip = std::env::args().nth(1).ok_or("usage: coverage CLIP")?;
    let pipeline = gst::parse::launch(&format!(
        "filesrc location=\"{clip}\" ! decodebin ! videoconvert ! personsegment quality=fast ! fakesink name=sink"
    ))?;
    let sink = pipeline.downcast_ref::<gst::Bin>().and_then(|bin| bin.by_name("sink")).ok_or("no sink")?;
    let pad = sink.static_pad("sink").ok_or("no pad")?;
    pad.add_probe(gst::PadProbeType::BUFFER, |_, info| {
        if let Some(coverage) = info.buffer().and_then(|buffer| coverage(buffer)) {
            println!("{coverage:.3}");
        }
        gst::PadProbeReturn::Ok
    });
    // Failures are also reported on the bus.
    let _ = pipeline.set_state(gst::State::Playing);
    let bus = pipeline.bus().ok_or("no bus")?;
    let end = bus.timed_pop_filtered(gst::ClockTime::NONE, &[gst::MessageType::Eos, gst::MessageType::Error]);
    pipeline.set_state(gst::State::Null)?;
    match end.as_ref().map(|message| message.view()) {
        Some(gst::MessageView::Error(failure)) => Err(failure.error().into()),
        _ => Ok(()),
    }
}

/// The part of the frame that people cover, 0 to 1.
fn coverage(buffer: &gst::BufferRef) -> Option<f64> {
    let meta = gst::meta::CustomMeta::from_buffer(buffer, "GstPeopleMask").ok()?;
    let fields = meta.structure();
    let size = |name| fields.get::<i32>(name).map(|value| value as usize);
    let (width, height, stride) = (size("width").ok()?, size("height").ok()?, size("stride").ok()?);
    let mask = fields.get::<gst::Buffer>("mask").ok()?.into_mapped_buffer_readable().ok()?;
    let covered: u64 = mask.chunks(stride).take(height).flat_map(|row| &row[..width]).map(|&value| u64::from(value)).sum();
    Some(covered as f64 / 255.0 / (width * height) as f64)
}
