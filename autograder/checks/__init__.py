"""What an answer gave is scored; its misconception or code slip is named."""
